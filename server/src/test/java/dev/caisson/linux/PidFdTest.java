package dev.caisson.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Processes on the real kernel. A grandchild is what the program of a sandbox is to the server.
class PidFdTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void a_grandchild_that_exits_with_137_was_not_killed() throws Exception {
        assertThat(endOfGrandchild("exit 137")).contains(new ExitStatus.Exited(137));
    }

    @Test
    void a_grandchild_that_was_killed_did_not_exit_with_137() throws Exception {
        assertThat(endOfGrandchild("kill -9 $$"))
                .contains(new ExitStatus.Signalled(PidFd.SIGKILL, false));
    }

    /// The parent waits for its child, so that it is not ours to reap.
    private static Optional<ExitStatus> endOfGrandchild(String script) throws Exception {
        var parent =
                shell(
                        "exec 3<&0; sh -c 'echo $$; read go; %s' <&3 & wait $!; read end"
                                .formatted(script));
        try (var process = PidFd.open(Long.parseLong(line(parent)))) {
            assertThat(process.hasExited()).isFalse();
            assertThat(process.exitStatus()).isEmpty();
            say(parent, "go");
            assertThat(process.awaitExit(LONG)).isTrue();
            await().atMost(LONG).until(() -> process.exitStatus().isPresent());
            return process.exitStatus();
        } finally {
            parent.destroyForcibly().waitFor();
        }
    }

    /// Ended is not enough: as long as its parent has not asked, how it ended is not known.
    @Test
    void whoever_waits_for_a_process_to_be_reaped_knows_how_it_ended() throws Exception {
        var parent =
                shell("sh -c 'echo $$; sleep 0.2; exit 7' </dev/null & read go; wait $!; read end");
        try (var process = PidFd.open(Long.parseLong(line(parent)))) {
            var reaped = CompletableFuture.runAsync(process::awaitReaped);
            assertThat(process.awaitExit(LONG)).isTrue();
            assertThat(reaped).isNotDone();
            say(parent, "go");
            reaped.get(LONG.toSeconds(), TimeUnit.SECONDS);
            assertThat(process.exitStatus()).contains(new ExitStatus.Exited(7));
        } finally {
            parent.destroyForcibly().waitFor();
        }
    }

    @Test
    void a_process_is_killed_and_killing_it_again_is_fine() throws Exception {
        var child = shell("echo ready; read end");
        line(child);
        try (var process = PidFd.open(child.pid())) {
            assertThat(process.awaitExit(Duration.ofMillis(20))).isFalse();
            process.kill();
            assertThat(process.awaitExit(LONG)).isTrue();
            assertThat(child.waitFor()).isEqualTo(137);
            process.kill();
        }
    }

    @Test
    void one_that_came_in_a_message_knows_its_process_and_one_that_is_gone_is_refused()
            throws Exception {
        var child = shell("echo ready; read end");
        line(child);
        try (var first = PidFd.open(child.pid());
                var second = PidFd.of(first.duplicate())) {
            assertThat(second.pid()).isEqualTo(child.pid());
            assertThat(PidFd.shownPid(first.descriptor())).isEqualTo(child.pid());
            assertThat(PidFd.toldPid(first.descriptor()).orElse(child.pid()))
                    .isEqualTo(child.pid());
            second.kill();
            assertThat(child.waitFor()).isEqualTo(137);
            assertThatThrownBy(() -> PidFd.of(first.duplicate()))
                    .isInstanceOf(KernelException.class)
                    .hasMessageContaining("ESRCH");
        }
    }

    @Test
    void a_process_that_does_not_exist_cannot_be_held() {
        assertThatThrownBy(() -> PidFd.open(4_194_999))
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("pidfd_open")
                .hasMessageMatching(".*(ESRCH|EINVAL).*");
    }

    @Test
    void an_orphan_is_buried_by_the_one_who_knows_it() throws Exception {
        var reaper = Reaper.install();
        var parent = shell("sh -c 'echo $$; exec sleep 600' & wait");
        try (var orphan = PidFd.open(Long.parseLong(line(parent)))) {
            try (var itself = PidFd.open(parent.pid())) {
                itself.kill();
            }
            parent.waitFor();
            orphan.kill();
            assertThat(reaper.reap(orphan, LONG))
                    .contains(new ExitStatus.Signalled(PidFd.SIGKILL, false));
            assertThat(reaper.reap(orphan, LONG)).isPresent();
        }
    }

    @Test
    void burying_what_still_lives_ends_in_time() throws Exception {
        var child = shell("echo ready; read end");
        line(child);
        try (var process = PidFd.open(child.pid())) {
            assertThat(Reaper.install().reap(process, Duration.ofMillis(20))).isEmpty();
        }
        child.destroyForcibly().waitFor();
    }

    @Test
    void a_process_that_was_let_go_is_not_signalled() throws Exception {
        var child = shell("echo ready; read end");
        line(child);
        var process = PidFd.open(child.pid());
        process.close();
        process.close();
        assertThatThrownBy(process::kill).hasMessageContaining("not held");
        child.destroyForcibly().waitFor();
    }

    @Test
    void this_kernel_tells_how_others_children_ended() {
        assertThat(Reaper.missing()).isEmpty();
    }

    @Test
    void a_wait_status_is_read_as_the_kernel_packs_it() {
        assertThat(ExitStatus.ofWaitStatus(7 << 8)).isEqualTo(new ExitStatus.Exited(7));
        assertThat(ExitStatus.ofWaitStatus(11 | 0x80))
                .isEqualTo(new ExitStatus.Signalled(11, true));
        assertThat(new ExitStatus.Signalled(11, true).shellCode()).isEqualTo(139);
    }

    private static Process shell(String script) throws IOException {
        return new ProcessBuilder("sh", "-c", script).start();
    }

    private static String line(Process process) throws IOException {
        BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
        return String.valueOf(reader.readLine());
    }

    private static void say(Process process, String text) throws IOException {
        process.outputWriter().write(text + "\n");
        process.outputWriter().flush();
    }
}
