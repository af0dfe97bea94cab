package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// A sandbox that somebody froze or stopped from outside is killed like any other, and its run ends
/// as what it was: out of time, or cancelled.
@Tag("root")
@Tag("slow")
@InBubblewrap
@ExtendWith(Rig.Shared.class)
@Execution(ExecutionMode.CONCURRENT) // They wait for the time of their runs.
class FrozenSandboxTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /// Long enough for a busy machine to start the program, whose time has begun by then.
    private static final Limits SHORT = Rig.LIMITS.withWall(Duration.ofSeconds(20));

    private final Rig rig;
    private final String marker = "frozen-" + UUID.randomUUID();

    FrozenSandboxTest(Rig rig) {
        this.rig = rig;
    }

    private String program() {
        return "echo before; sh -c 'while :; do sleep 1; done' %s & wait".formatted(marker);
    }

    private interface Act {
        void on(Path group) throws IOException;
    }

    /// Runs the program, does something to its group once it is there, and waits for its end.
    private Rig.Result run(Act act) throws Exception {
        var result =
                CompletableFuture.supplyAsync(() -> {
                    try {
                        return rig.run(Language.BASH, program(), SHORT);
                    } catch (InterruptedException interrupted) {
                        throw new IllegalStateException(interrupted);
                    }
                });
        act.on(group());
        return result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void a_frozen_run_is_out_of_time_and_nothing_of_it_is_left() throws Exception {
        var result = run(FrozenSandboxTest::freeze);
        assertThat(result.outcome()).isInstanceOf(Outcome.TimedOut.class);
        assertThat(result.stdout()).isEqualTo("before\n");
        nothingIsLeft();
    }

    @Test
    void a_stopped_run_is_out_of_time_and_nothing_of_it_is_left() throws Exception {
        var result = run(FrozenSandboxTest::stop);
        assertThat(result.outcome()).isInstanceOf(Outcome.TimedOut.class);
        assertThat(result.stdout()).isEqualTo("before\n");
        nothingIsLeft();
    }

    @Test
    void a_program_that_stops_itself_is_out_of_time() throws Exception {
        var result = rig.run(Language.BASH, "echo before; kill -STOP $$", SHORT);
        assertThat(result.outcome()).isInstanceOf(Outcome.TimedOut.class);
        assertThat(result.stdout()).isEqualTo("before\n");
    }

    @Test
    void a_frozen_run_can_be_cancelled() throws Exception {
        var outcome = new CompletableFuture<Outcome>();
        var caller =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                outcome.complete(rig.run(Language.BASH, program()).outcome());
                            } catch (InterruptedException | RuntimeException failed) {
                                outcome.completeExceptionally(failed);
                            }
                        });
        freeze(group());
        caller.interrupt();
        assertThat(outcome.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(Outcome.Cancelled.class);
        nothingIsLeft();
    }

    @Test
    void a_frozen_session_is_out_of_time_and_can_be_killed() throws Exception {
        try (var session = new Guestbook(rig, Language.BASH)) {
            assertThat(session.run("sh -c 'sleep 600' %s &".formatted(marker)).code()).isZero();
            freeze(group());
            assertThat(session.run("echo late", Duration.ofSeconds(1)).outcome())
                    .isInstanceOf(Outcome.TimedOut.class);
        }
        nothingIsLeft();
        try (var session = new Guestbook(rig, Language.BASH)) {
            assertThat(session.run("sh -c 'sleep 600' %s &".formatted(marker)).code()).isZero();
            freeze(group());
            session.resident().kill();
            await().atMost(PATIENCE).until(() -> session.ended().isPresent());
        }
        nothingIsLeft();
    }

    private void nothingIsLeft() {
        await().atMost(PATIENCE).until(() -> Marked.count(marker) == 0);
    }

    /// The freezer's directory of the group in which the marked process is, in either version.
    private Path group() throws IOException {
        await().atMost(PATIENCE).until(() -> !groups().isEmpty());
        return groups().getFirst();
    }

    private List<Path> groups() throws IOException {
        var found = new ArrayList<Path>();
        try (var all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (var process : all) {
                if (Marked.isMarked(process.resolve("cmdline"), marker)) {
                    found.addAll(groupsOf(process));
                }
            }
        }
        return found;
    }

    private static List<Path> groupsOf(Path process) {
        var found = new ArrayList<Path>();
        try {
            for (var line : Files.readAllLines(process.resolve("cgroup"))) {
                var words = line.split(":", 3);
                if (words[2].contains("caisson")
                        && (words[1].equals("freezer") || words[0].equals("0"))) {
                    var tree = words[1].isEmpty() ? unified() : Path.of("/sys/fs/cgroup/freezer");
                    found.add(tree.resolve(words[2].substring(1)));
                }
            }
        } catch (IOException gone) {
            return List.of();
        }
        return found;
    }

    private static Path unified() {
        var beside = Path.of("/sys/fs/cgroup/unified");
        return Files.exists(beside) ? beside : Path.of("/sys/fs/cgroup");
    }

    private static void freeze(Path group) throws IOException {
        var first = group.resolve("freezer.state");
        if (Files.exists(first)) {
            Files.writeString(first, "FROZEN");
            await().atMost(PATIENCE).until(() -> Files.readString(first).strip().equals("FROZEN"));
        } else {
            Files.writeString(group.resolve("cgroup.freeze"), "1");
        }
    }

    private static void stop(Path group) throws IOException {
        for (var process : Files.readAllLines(group.resolve("cgroup.procs"))) {
            try {
                new ProcessBuilder("kill", "-STOP", process).start().waitFor();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }
    }
}
