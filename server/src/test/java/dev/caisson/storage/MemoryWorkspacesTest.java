package dev.caisson.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MemoryWorkspacesTest {
    private static final MemoryWorkspaces MANY = new MemoryWorkspaces(8 << 20, 100, 1_000);

    @Test
    void one_takes_at_most_half_of_the_memory_of_its_run() {
        assertThat(MANY.bytes(64 << 20)).isEqualTo(8 << 20);
        assertThat(MANY.bytes(16 << 20)).isEqualTo(8 << 20);
        assertThat(MANY.bytes(10 << 20)).isEqualTo(5 << 20);
    }

    @Test
    @Tag("root")
    void one_has_a_file_for_every_page_and_no_more_than_others() throws IOException {
        try (var large = MANY.open(64 << 20);
                var small = new MemoryWorkspaces(40_960, 100, 1_000).open(64 << 20)) {
            assertThat(large.room().filesMax()).hasValue(100);
            assertThat(large.room().bytesMax()).hasValue(8 << 20);
            assertThat(small.room().filesMax()).hasValue(10);
        }
    }

    @Test
    @Tag("root")
    void the_server_reads_what_is_in_it() throws IOException {
        try (var opened = MANY.open(64 << 20)) {
            Files.writeString(opened.root().resolve("a"), "b");
            assertThat(opened.root().resolve("a")).hasContent("b");
            assertThat(opened.room().filesUsed()).isEqualTo(1);
        }
    }
}
