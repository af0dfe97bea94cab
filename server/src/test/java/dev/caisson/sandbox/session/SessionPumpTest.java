package dev.caisson.sandbox.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.linux.PipeEnd;
import dev.caisson.sandbox.Rig;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("root")
class SessionPumpTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir Path directory;

    /// Both ends of a pipe.
    private record Ends(OutputStream writing, OutputStream complaining, SessionPump spout) {}

    private Ends open() throws Exception {
        var output = make("output");
        var errors = make("errors");
        var reading = PipeEnd.open(output);
        var listening = PipeEnd.open(errors);
        var writing = new FileOutputStream(output.toFile());
        var complaining = new FileOutputStream(errors.toFile());
        var threads = Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());
        return new Ends(writing, complaining, SessionPump.start(reading, listening, threads));
    }

    private Path make(String name) throws Exception {
        var pipe = directory.resolve(name);
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        return pipe;
    }

    private static byte[] bytes(int count) {
        return "x".repeat(count).getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void everything_written_before_the_call_ended_is_in_it() throws Exception {
        var ends = open();
        try (var writing = ends.writing();
                var _ = ends.complaining()) {
            for (int round = 0; round < 200; round++) {
                var output = new Rig.Output();
                ends.spout().turnTo(output);
                writing.write(bytes(100 + round));
                ends.spout().turnAway();
                assertThat(output.stdout.size()).isEqualTo(100 + round);
            }
        }
        assertThat(ends.spout().awaitEnd(PATIENCE)).isTrue();
    }

    @Test
    void what_comes_between_calls_is_kept_up_to_a_limit_and_the_rest_is_counted() throws Exception {
        var ends = open();
        try (var writing = ends.writing()) {
            writing.write(bytes(SessionPump.HELD_BYTES_MAX));
            var whole = new Rig.Output();
            ends.spout().turnTo(whole);
            ends.spout().turnAway();
            assertThat(whole.stdout.toByteArray())
                    .hasSize(SessionPump.HELD_BYTES_MAX)
                    .doesNotContain('[');

            writing.write(bytes(SessionPump.HELD_BYTES_MAX));
            writing.write(bytes(SessionPump.HELD_BYTES_MAX));
            writing.write(bytes(7));
            await().atMost(PATIENCE)
                    .until(() -> ends.spout().missed() == SessionPump.HELD_BYTES_MAX + 7);
            var cut = new Rig.Output();
            ends.spout().turnTo(cut);
            ends.spout().turnAway();
            assertThat(cut.text(cut.stdout))
                    .startsWith("xxx")
                    .endsWith("x\n[... 65543 bytes written between calls are left out ...]\n");
        }
    }

    @Test
    void a_sink_that_fails_fails_its_own_call_alone() throws Exception {
        var ends = open();
        try (var writing = ends.writing()) {
            ends.spout()
                    .turnTo((_, _, _, _) -> {
                        throw new IllegalStateException("full");
                    });
            writing.write(bytes(10));
            ends.spout().turnAway();
            assertThat(ends.spout().failure()).isPresent();
            var output = new Rig.Output();
            ends.spout().turnTo(output);
            writing.write(bytes(3));
            ends.spout().turnAway();
            assertThat(ends.spout().failure()).isEmpty();
            assertThat(output.text(output.stdout)).isEqualTo("xxx");
        }
    }
}
