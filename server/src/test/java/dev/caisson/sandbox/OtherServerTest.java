package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.Cgroups;
import dev.caisson.linux.LiveTree;
import dev.caisson.linux.ServerToken;
import dev.caisson.sandbox.bubblewrap.Sweeper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("root")
class OtherServerTest {
    private static final int PLAIN = 54_321;

    /// A command that no other process of this machine has.
    private static final String SLEEP =
            "sleep 54321.%09d".formatted(ThreadLocalRandom.current().nextInt(1_000_000_000));

    @TempDir Path home;

    @BeforeEach
    void everyone_may_pass() throws IOException {
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @Test
    void a_plain_user_has_a_reduced_tier_that_works() throws Exception {
        var user = List.of("setpriv", "--reuid=" + PLAIN, "--regid=" + PLAIN, "--clear-groups");
        var server =
                OtherServer.start(
                        home,
                        user,
                        "id -u; grep CapEff /proc/self/status; grep ' /tmp ' /proc/self/mountinfo; (setsid sleep 1000 &); touch made; kill -9 $$");
        var output = new String(server.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(output)
                .contains(
                        "tier reduced\n",
                        "1000\n",
                        "CapEff:\t0000000000000000\n",
                        "outcome Signalled\n")
                .containsPattern(" /tmp rw,nosuid,nodev.* - tmpfs .*size=.*nr_inodes=");
        assertThat(Files.getAttribute(home.resolve("workspace/made"), "unix:uid")).isEqualTo(PLAIN);
    }

    /// Users of sandboxes pass through directories of the server.
    @Test
    void a_strict_umask_does_not_matter() throws Exception {
        var strict = List.of("sh", "-c", "umask 077; exec \"$@\"", "sh");
        var server = OtherServer.start(home, strict, "id -u");
        var output = new String(server.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(output).contains("tier full\n").doesNotContain("tier closed");
    }

    @Test
    void a_root_that_may_not_mount_runs_nothing_whatever_is_accepted() throws Exception {
        var fewer = List.of("setpriv", "--bounding-set=-sys_admin");
        var server = OtherServer.start(home, fewer, "id -u");
        var output = new String(server.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(output).contains("tier closed\n").doesNotContain("tier reduced");
    }

    @Test
    void nothing_outlives_a_server_that_is_killed() throws Exception {
        var server =
                OtherServer.start(
                        home,
                        List.of(),
                        "echo running; setsid %1$s & trap '' TERM; %1$s".formatted(SLEEP));
        try (var reader =
                new BufferedReader(
                        new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(reader.lines().anyMatch("running"::equals)).isTrue();
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> sleepers() == 2);
        } finally {
            server.toHandle().destroyForcibly();
            server.waitFor();
        }
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> sleepers() == 0);
        sweepAfter(server);
    }

    /// The nest, its zygote, the shell and the program all go with the server.
    @ParameterizedTest
    @EnumSource(names = {"PYTHON", "BASH"}) // By a fork, and by a guest that boots.
    void nothing_of_a_nest_outlives_a_server_that_is_killed(Language language) throws Exception {
        var code =
                switch (language) {
                    case PYTHON -> "print('running', flush=True); import time; time.sleep(600)";
                    case BASH -> "echo running; setsid sleep 600 & sleep 600";
                    case NODE, TYPESCRIPT -> throw new IllegalArgumentException(language.word());
                };
        var server = OtherServer.startNested(home, language, code);
        try (var reader =
                new BufferedReader(
                        new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(reader.lines().anyMatch("running"::equals)).isTrue();
            // The nest itself, and what it made.
            assertThat(processes(server)).hasSizeGreaterThan(2);
            assertThat(groups(server).toString()).contains(".nest-");
        } finally {
            server.toHandle().destroyForcibly();
            server.waitFor();
        }
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> processes(server).isEmpty());
        sweepAfter(server);
    }

    /// As the next server does when it starts.
    private void sweepAfter(Process server) throws Exception {
        var own = ServerToken.own();
        var directory =
                Sweeper.sweep(
                        home.resolve("run"), own, Cgroups.detect(Path.of("/sys/fs/cgroup"), own));
        try (var left = Files.list(home.resolve("run"))) {
            assertThat(left).containsExactly(directory);
        }
        assertThat(groups(server)).isEmpty();
    }

    private static List<Path> groups(Process server) throws IOException {
        return LiveTree.find(
                Path.of("/sys/fs/cgroup"),
                6,
                (path, _) -> path.toString().contains("p" + server.pid() + "t"));
    }

    /// Everything in a control group of that server.
    private static Set<String> processes(Process server) throws IOException {
        var found = new TreeSet<String>();
        for (var group : groups(server)) {
            if (group.endsWith("cgroup.procs")) {
                try {
                    found.addAll(Files.readAllLines(group));
                } catch (IOException gone) {
                    // A group that was removed has no processes.
                }
            }
        }
        return found;
    }

    private static long sleepers() throws IOException {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes.filter(OtherServerTest::isSleeper).count();
        }
    }

    private static boolean isSleeper(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"))
                    .equals(SLEEP.replace(' ', '\0') + "\0");
        } catch (IOException none) {
            return false;
        }
    }
}
