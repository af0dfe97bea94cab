package dev.caisson.sandbox.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.linux.UserIds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlotTest {
    /// Nobody can delete anything there.
    private static final Path FIXED = Path.of("/proc/self/ns");

    @TempDir Path directory;

    @Test
    void a_directory_that_cannot_be_deleted_does_not_cost_the_user() {
        var ids = new UserIds(directory, 200_000, 1);
        var slot = new Slot(1, FIXED, Optional.of(ids.take()));
        assertThatThrownBy(slot::close).isInstanceOf(IOException.class);
        ids.take().close();
    }

    @Test
    void an_emptied_slot_has_nothing_of_the_program_before() throws IOException {
        var slot = Slot.create(directory.resolve("slot"), 1, Optional.empty());
        var job = directory.resolve("slot/job");
        slot.write(List.of("main.js", "main.mjs"), "a long secret");
        slot.put("stdin", new byte[] {1});
        slot.empty("main.js");
        assertThat(job).isDirectoryContaining(file -> file.endsWith("main.js"));
        assertThat(job.toFile().list()).containsExactly("main.js");
        assertThat(job.resolve("main.js")).hasContent("\n");
        slot.write(List.of("main.js", "main.mjs"), "short");
        assertThat(job.resolve("main.mjs")).hasContent("short");
        slot.write(List.of("main.js"), "");
        assertThat(job.resolve("main.js")).isEmptyFile();
    }

    @Test
    void a_slot_that_cannot_be_made_leaves_no_directory() {
        var closed = new AtomicInteger();
        var owner =
                new UserIds.Lease() {
                    @Override
                    public int uid() {
                        throw new IllegalStateException("no such user");
                    }

                    @Override
                    public void close() {
                        closed.incrementAndGet();
                    }
                };
        var place = directory.resolve("slot");
        assertThatThrownBy(() -> Slot.create(place, 1, Optional.of(owner)))
                .hasMessage("no such user");
        assertThat(place).doesNotExist();
        assertThat(closed).as("is its maker's to close").hasValue(0);
    }
}
