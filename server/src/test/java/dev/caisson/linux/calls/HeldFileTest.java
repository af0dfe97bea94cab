package dev.caisson.linux.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeldFileTest {
    @TempDir Path directory;
    private Path file = Path.of("");

    @BeforeEach
    void a_file() throws IOException {
        file = Files.writeString(directory.resolve("usage"), "17\n");
    }

    @Test
    void it_is_read_again_from_its_beginning_by_the_same_descriptor() throws IOException {
        try (var held = HeldFile.toRead(file)) {
            assertThat(held.number()).isEqualTo(17);
            Files.writeString(file, "18\n");
            assertThat(held.number()).isEqualTo(18);
            assertThat(descriptors()).isEqualTo(1);
            Files.delete(file);
            assertThat(held.number()).as("held").isEqualTo(18);
        }
        assertThat(descriptors()).isZero();
    }

    /// Of this process, on something in the directory.
    private long descriptors() throws IOException {
        try (var all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(this::isOurs).count();
        }
    }

    private boolean isOurs(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).startsWith(directory.toRealPath());
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    @Test
    void what_is_not_there_is_said_and_what_was_closed_too() {
        var absent = HeldFile.toRead(directory.resolve("absent"));
        assertThatThrownBy(absent::read).isInstanceOf(UncheckedIOException.class);
        var closed = HeldFile.toRead(file);
        closed.close();
        assertThatThrownBy(closed::read).isInstanceOf(UncheckedIOException.class);
        closed.close();
    }

    /// Cancellation is an interrupt, and figures are read after it.
    @Test
    void an_interrupted_thread_reads_on() {
        try (var held = HeldFile.toRead(file)) {
            assertThat(held.number()).isEqualTo(17);
            Thread.currentThread().interrupt();
            try {
                assertThat(held.number()).isEqualTo(17);
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
            assertThat(held.number()).isEqualTo(17);
        }
    }

    @Test
    void a_limit_is_checked_after_it_was_written() {
        try (var held = HeldFile.toReadAndWrite(file)) {
            held.writeBytesVerified(1 << 20);
            assertThat(file).content().startsWith("1048576");
        }
    }

    @Test
    void a_counter_is_the_first_of_its_files_or_zero() throws IOException {
        var lines = Files.writeString(directory.resolve("events"), "oom 1\noom_kill 3\n");
        var absent = directory.resolve("absent");
        try (var number = HeldCounter.number(List.of(absent, file));
                var keyed = HeldCounter.keyed(List.of(lines), "oom_kill");
                var wordless = HeldCounter.keyed(List.of(lines), "max");
                var none = HeldCounter.number(List.of(absent))) {
            assertThat(number.value()).isEqualTo(17);
            assertThat(keyed.value()).isEqualTo(3);
            assertThat(wordless.value()).isZero();
            assertThat(none.value()).isZero();
        }
    }
}
