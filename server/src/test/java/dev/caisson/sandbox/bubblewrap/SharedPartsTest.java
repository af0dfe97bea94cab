package dev.caisson.sandbox.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What all sandboxes share is a copy, wherever the product's guests are.
final class SharedPartsTest {
    @Test
    void guests_behind_a_link_are_copied_and_not_written_to(@TempDir Path directory)
            throws Exception {
        var guests = directory.resolve("guests-1");
        Files.createDirectories(guests.resolve("python"));
        Files.writeString(guests.resolve("python/main.py"), "pass");
        var link = Files.createSymbolicLink(directory.resolve("guests"), guests);
        var shared = directory.resolve("shared");
        SharedParts.prepare(shared, link);
        SharedParts.nestFilters(shared, new byte[] {1}, new byte[] {2});
        assertThat(shared.resolve("guest"))
                .isDirectory()
                .satisfies(each -> {
                    assertThat(Files.isSymbolicLink(each)).isFalse();
                    assertThat(each.resolve("python/main.py")).hasContent("pass");
                    assertThat(each.resolve("nest/proc1")).isDirectory();
                });
        assertThat(guests.resolve("nest")).doesNotExist();
    }

    @Test
    void a_server_without_guests_has_the_rest(@TempDir Path directory) {
        var shared = directory.resolve("shared");
        SharedParts.prepare(shared, directory.resolve("missing"));
        assertThat(shared.resolve("empty")).isDirectory();
        assertThat(shared.resolve("guest/nest/proc1")).isDirectory();
    }
}
