package dev.caisson.environments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is copied of a bake, and what fails it.
class TreeCopyTest {
    @TempDir Path directory;
    private Path from;
    private Path to;

    @BeforeEach
    void makeTree() throws IOException {
        from = directory.resolve("from");
        Files.createDirectories(from.resolve("python"));
        to = directory.resolve("to");
        Files.writeString(from.resolve("python/a.py"), "x".repeat(100));
        Files.writeString(from.resolve("b"), "y".repeat(28));
    }

    private TreeCopy.Taken copy(long bytesMax, long filesMax) throws IOException {
        return TreeCopy.copy(from, to, bytesMax, filesMax);
    }

    @Test
    void as_many_bytes_and_files_as_there_may_be_are_copied() throws IOException {
        assertThat(copy(128, 4)).isEqualTo(new TreeCopy.Taken(128, 4));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(to.resolve("b"))))
                .isEqualTo("r--r--r--");
    }

    @Test
    void one_byte_more_fails() {
        assertThatThrownBy(() -> copy(127, 4))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("more than 127 bytes");
    }

    @Test
    void one_file_more_fails() {
        assertThatThrownBy(() -> copy(128, 3))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("more than 3 files");
    }

    @Test
    void a_link_that_stays_inside_is_copied_and_one_that_leads_out_fails() throws IOException {
        Files.createSymbolicLink(from.resolve("python/in"), Path.of("../b"));
        assertThat(copy(128, 5).files()).isEqualTo(5);
        assertThat(Files.readSymbolicLink(to.resolve("python/in"))).isEqualTo(Path.of("../b"));
        for (var target : new String[] {"../../b", "/etc/passwd"}) {
            var link = from.resolve("python/out");
            Files.createSymbolicLink(link, Path.of(target));
            to = directory.resolve("to" + target.length());
            assertThatThrownBy(() -> copy(128, 9)).hasMessageContaining("a link that leads out");
            Files.delete(link);
        }
    }
}
