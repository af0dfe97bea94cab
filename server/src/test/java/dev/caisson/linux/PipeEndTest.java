package dev.caisson.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PipeEndTest {
    @TempDir Path directory;
    private Path pipe = Path.of("");
    private final byte[] buffer = new byte[PipeEnd.READ_BYTES_MAX];

    @BeforeEach
    void make() {
        pipe = directory.resolve("pipe");
        PipeEnd.make(pipe);
    }

    @Test
    void its_owner_alone_may_open_it() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(pipe)))
                .isEqualTo("rw-------");
    }

    @Test
    void it_ends_when_the_last_writer_is_gone() throws IOException {
        try (var end = PipeEnd.open(pipe)) {
            try (var writer = new FileOutputStream(pipe.toFile())) {
                assertThat(end.read(buffer)).as("nothing now").isZero();
                writer.write(bytes(3));
                end.await();
                assertThat(end.read(buffer)).isEqualTo(3);
            }
            end.await();
            assertThat(end.read(buffer)).isEqualTo(-1);
        }
    }

    @Test
    void finished_it_gives_the_rest_and_ends_though_a_writer_is_left() throws IOException {
        try (var end = PipeEnd.open(pipe);
                var writer = new FileOutputStream(pipe.toFile())) {
            writer.write(bytes(5));
            end.finish();
            end.finish();
            end.await();
            assertThat(end.read(buffer)).isEqualTo(5);
            end.await();
            assertThat(end.read(buffer)).isEqualTo(-1);
        }
    }

    @Test
    void finishing_wakes_who_waits() throws Exception {
        try (var end = PipeEnd.open(pipe);
                var _ = new FileOutputStream(pipe.toFile())) {
            var waits = CompletableFuture.runAsync(end::await);
            end.finish();
            waits.get(60, TimeUnit.SECONDS);
            assertThat(end.read(buffer)).isEqualTo(-1);
        }
    }

    @Test
    void a_writer_that_never_stops_is_not_read_for_ever() throws IOException {
        try (var end = PipeEnd.open(pipe);
                var writer = new FileOutputStream(pipe.toFile())) {
            end.finish();
            long read = 0;
            writer.write(bytes(4_096));
            for (int count = end.read(buffer); count > 0; count = end.read(buffer)) {
                read += count;
                writer.write(bytes(4_096));
            }
            assertThat(read)
                    .isBetween(
                            (long) PipeEnd.PIPE_BYTES_MAX,
                            (long) PipeEnd.PIPE_BYTES_MAX + PipeEnd.READ_BYTES_MAX);
        }
    }

    @Test
    void closed_it_has_ended_and_can_be_closed_and_finished_again() {
        var end = PipeEnd.open(pipe);
        end.close();
        end.close();
        end.finish();
        end.await();
        assertThat(end.read(buffer)).isEqualTo(-1);
    }

    private static byte[] bytes(int count) {
        return "x".repeat(count).getBytes(StandardCharsets.US_ASCII);
    }
}
