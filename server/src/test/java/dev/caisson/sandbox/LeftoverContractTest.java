package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.HostState;
import dev.caisson.linux.LiveTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A moment after the answer nothing of a run is there: no process, control group, mount, loop
/// device, file or user, and the host's devices are as they were.
///
/// `-Dsoak.runs=1000` makes it a soak.
@Tag("root")
@Tag("slow")
@ExtendWith(Rig.Shared.class)
abstract class LeftoverContractTest {
    private static final int RUNS = Integer.getInteger("soak.runs", 120);
    private static final Limits LIMITS =
            new Limits(Duration.ofMillis(1_200), 64L << 20, 1.0, 32, 256, 64L << 20, 32L << 20);

    /// Every third is hostile; two of three are what runs usually are.
    private static final List<String> HOSTILE =
            List.of(
                    "(setsid bash -c '(setsid sleep 1000 &) ; sleep 1000' &) ; echo hostile",
                    "kill -STOP $$",
                    "trap '' TERM INT HUP; setsid bash -c 'trap \"\" TERM; sleep 1000' & sleep 1000",
                    "f() { f | f & }; f; sleep 1000",
                    "python3 -c 'x = [b\"1\" * (1 << 20) for _ in range(1 << 10)]'",
                    "exec yes");

    /// What is held of a control group and of a network that rest.
    private static final long OPEN_PER_GROUP = 12;

    private final Rig rig;

    LeftoverContractTest(Rig rig) {
        this.rig = rig;
    }

    @Test
    void many_runs_a_third_of_them_hostile_leave_nothing() throws Exception {
        rig.run(Language.BASH, "true");
        rig.awaitTidy();
        var processes = processes();
        var before = state();
        var groups = groups();
        long descriptors = descriptors();
        var wrong = new ArrayList<String>();
        try (var callers = Executors.newFixedThreadPool(4)) {
            var tasks = new ArrayList<Callable<Rig.Result>>();
            for (int number = 0; number < RUNS; number++) {
                var code =
                        number % 3 == 0
                                ? HOSTILE.get(number / 3 % HOSTILE.size())
                                : "echo " + number;
                tasks.add(() -> rig.run(Language.BASH, code, LIMITS));
            }
            var done = callers.invokeAll(tasks);
            for (int number = 0; number < RUNS; number++) {
                var result = done.get(number).get();
                if (number % 3 != 0 && !result.stdout().equals(number + "\n")) {
                    wrong.add(number + ": " + result);
                }
            }
        }
        assertThat(wrong).isEmpty();
        rig.awaitTidy();
        assertThat(descriptors() - OPEN_PER_GROUP * rig.sandboxes().resting().groups().size())
                .isLessThan(descriptors + RUNS / 4);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> {
                    assertThat(state()).isEqualTo(before);
                    assertThat(groups()).isSubsetOf(groups);
                    assertThat(slots())
                            .isEqualTo(
                                    rig.sandboxes().boxes()
                                            + rig.sandboxes().resting().slots().size());
                    assertThat(processes()).isSubsetOf(processes);
                });
        assertThat(before.get(0)).as("something was looked at").contains("rw-rw-rw-");
    }

    /// All that a run could leave, as text that can be compared.
    private List<String> state() throws IOException {
        return List.of(
                "devices " + devices(),
                "mounts " + HostState.mounts(rig.directory()),
                "jobs " + jobs(),
                "sandboxes " + rig.sandboxes().boxes());
    }

    private static String devices() throws IOException {
        var text = new StringBuilder();
        for (var name : List.of("null", "zero", "full", "random", "urandom", "tty")) {
            var device = Files.readAttributes(Path.of("/dev", name), "posix:owner,permissions");
            text.append(name)
                    .append(device.get("owner"))
                    .append(
                            java.nio.file.attribute.PosixFilePermissions.toString(
                                    permissions(name)));
        }
        return text.toString();
    }

    private static java.util.Set<java.nio.file.attribute.PosixFilePermission> permissions(
            String name) throws IOException {
        return Files.getPosixFilePermissions(Path.of("/dev", name));
    }

    /// Slots on the disk: one for each sandbox, and those that rest.
    private long slots() throws IOException {
        var own = dev.caisson.linux.ServerToken.own().toString();
        try (var slots = Files.list(rig.directory().resolve(own).resolve("slots"))) {
            return slots.count();
        }
    }

    /// Control groups of runs in which nobody is, in every hierarchy, but for those that the rig
    /// accounts for. Those of other rigs may go meanwhile, but none comes.
    private List<String> groups() throws IOException {
        var own = dev.caisson.linux.ServerToken.own().toString();
        var resting = Rig.restingGroups();
        return LiveTree.find(
                        Path.of("/sys/fs/cgroup"),
                        8,
                        (path, attributes) ->
                                attributes.isDirectory() && path.toString().contains(own + ".run-"))
                .stream()
                .filter(path -> status(path, "cgroup.procs").isEmpty())
                .filter(path ->
                        !resting.contains(
                                path.toString().split("\\.run-", 2)[1].transform("run-"::concat)))
                .map(Path::toString)
                .sorted()
                .toList();
    }

    /// Children of this server: sandboxes of this rig, and zombies, whoever's.
    private List<String> processes() throws IOException {
        var found = new ArrayList<String>();
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (var process : processes) {
                var status = status(process, "status");
                boolean ours =
                        status.contains("State:\tZ")
                                || status(process, "cmdline").contains(rig.directory().toString());
                if (ours && status.contains("PPid:\t" + ProcessHandle.current().pid() + "\n")) {
                    found.add(status.lines().limit(3).toList().toString());
                }
            }
        }
        return found;
    }

    private static String status(Path process, String file) {
        try {
            return Files.readString(process.resolve(file));
        } catch (IOException gone) {
            return "";
        }
    }

    /// The locks of users are among them: a nest has them for as long as it lives.
    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    private List<String> jobs() throws IOException {
        return LiveTree.find(
                        rig.directory(),
                        6,
                        (path, attributes) ->
                                attributes.isRegularFile()
                                        && attributes.size() > 1
                                        && path.toString().contains("/job/"))
                .stream()
                .map(Path::toString)
                .toList();
    }
}
