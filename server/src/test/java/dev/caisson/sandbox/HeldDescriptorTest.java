package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Somebody outside holds the writing ends of a program's pipes. Nobody can get them from a
/// program; here the test takes them itself. It delays no answer, costs no slot and no user.
@Tag("root")
@InBubblewrap
@ExtendWith(Rig.Shared.class)
class HeldDescriptorTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// Waiting for the pipes took at least twice that.
    private static final Duration ANSWER_MAX = Duration.ofSeconds(15);

    private final Rig rig;

    HeldDescriptorTest(Rig rig) {
        this.rig = rig;
    }

    /// A program that waits, as the host sees it.
    private record Waiting(Path process, Path workspace, CompletableFuture<Rig.Result> result) {
        int uid() throws IOException {
            return (int) Files.getAttribute(process, "unix:uid");
        }

        List<FileOutputStream> hold(String... descriptors) throws IOException {
            var held = new ArrayList<FileOutputStream>();
            for (var descriptor : descriptors) {
                held.add(new FileOutputStream(process.resolve("fd/" + descriptor).toFile()));
            }
            return held;
        }

        Rig.Result letEnd() throws Exception {
            Files.writeString(workspace.resolve("go"), "");
            return result.get(ANSWER_MAX.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private Waiting start(String name) throws Exception {
        var workspace = rig.workspace();
        var result = new CompletableFuture<Rig.Result>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        result.complete(
                                rig.run(
                                        Language.PYTHON,
                                        waiting(name),
                                        Rig.LIMITS,
                                        workspace,
                                        Map.of()));
                    } catch (InterruptedException | RuntimeException | Error failed) {
                        result.completeExceptionally(failed);
                    }
                });
        return new Waiting(find(name), workspace, result);
    }

    /// Gives itself a name the test finds it by, and waits for a file.
    private static String waiting(String name) {
        return """
        import ctypes, os, time
        print('begun', flush=True)
        ctypes.CDLL(None).prctl(15, b'%s', 0, 0, 0)
        while not os.path.exists('/workspace/go'):
            time.sleep(0.01)
        result = 7
        print('rest')
        """
                .formatted(name);
    }

    private static Path find(String name) {
        return await().atMost(PATIENCE).until(() -> named(name), Optional::isPresent).orElseThrow();
    }

    private static Optional<Path> named(String name) throws IOException {
        try (var all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (var process : all) {
                if (comm(process).equals(name)) {
                    return Optional.of(process);
                }
            }
            return Optional.empty();
        }
    }

    private static String comm(Path process) {
        try {
            return Files.readString(process.resolve("comm")).strip();
        } catch (IOException gone) {
            return "";
        }
    }

    private static void close(List<FileOutputStream> held) throws IOException {
        for (var each : held) {
            each.close();
        }
    }

    @Test
    void a_held_pipe_delays_no_answer_and_loses_nothing() throws Exception {
        rig.awaitTidy();
        int before = rig.sandboxes().boxes();
        var waiting = start("held-a");
        var held = waiting.hold("1", "2", "7");
        try {
            var result = waiting.letEnd();
            assertThat(result.code()).isZero();
            assertThat(result.stdout()).isEqualTo("begun\nrest\n");
            assertThat(result.value().toString()).contains("7");
            rig.awaitTidy();
            assertThat(rig.sandboxes().boxes())
                    .as("sandboxes, while it is still held")
                    .isEqualTo(before);
        } finally {
            close(held);
        }
    }

    @Test
    void nor_does_one_that_is_written_to_without_end() throws Exception {
        var waiting = start("held-b");
        var held = waiting.hold("1", "7");
        var ended = new AtomicBoolean();
        var flood = "x".repeat(4_096).getBytes(StandardCharsets.US_ASCII);
        var writer =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            try {
                                while (!ended.get()) {
                                    held.getFirst().write(flood);
                                }
                            } catch (IOException closed) {
                                ended.set(true);
                            }
                        });
        try {
            assertThat(waiting.letEnd().code()).isZero();
        } finally {
            ended.set(true);
            writer.join(PATIENCE);
            close(held);
        }
    }

    @Test
    void a_session_whose_pipes_are_held_is_closed_at_once() throws Exception {
        int before = rig.sandboxes().boxes();
        var session = new Guestbook(rig, Language.PYTHON);
        session.run("import ctypes; ctypes.CDLL(None).prctl(15, b'held-c', 0, 0, 0)");
        var process = find("held-c");
        var held = new Waiting(process, process, new CompletableFuture<>()).hold("1", "2", "7");
        try {
            var closed = CompletableFuture.runAsync(session::close);
            closed.get(ANSWER_MAX.toSeconds(), TimeUnit.SECONDS);
            rig.awaitTidy();
            assertThat(rig.sandboxes().boxes()).isEqualTo(before);
        } finally {
            close(held);
        }
    }

    @Test
    void every_sandbox_has_another_user() throws Exception {
        var seen = new HashSet<Integer>();
        for (int run = 0; run < 5; run++) {
            var waiting = start("turn-" + run);
            seen.add(waiting.uid());
            waiting.letEnd();
            rig.awaitTidy();
        }
        assertThat(seen).hasSize(5).allMatch(uid -> uid >= 200_000);
    }
}
