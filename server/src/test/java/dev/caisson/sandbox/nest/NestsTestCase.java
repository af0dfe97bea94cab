package dev.caisson.sandbox.nest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.ExitStatus;
import dev.caisson.linux.PidFd;
import dev.caisson.linux.ServerToken;
import dev.caisson.sandbox.Blueprint;
import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.GuestOrder;
import dev.caisson.sandbox.Job;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Rig;
import dev.caisson.sandbox.Root;
import dev.caisson.sandbox.SettingsForTests;
import dev.caisson.sandbox.Workspace;
import dev.caisson.sandbox.bubblewrap.Bubblewrap;
import dev.caisson.sandbox.bubblewrap.SandboxRemovals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// Nests over a real machine, without a pool or runs.
abstract class NestsTestCase {
    static final Duration PATIENCE = Duration.ofSeconds(60);
    static final int SANDBOXES = 4;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Bubblewrap bubblewrap;

    Path workspace;
    Path sandboxes;

    Nests nests;

    /// Of all nests of a test.
    SandboxRemovals removals;

    private Remains before;

    @BeforeEach
    void open(@TempDir Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        sandboxes = directory.resolve("sandboxes");
        var settings =
                new SettingsForTests(sandboxes, Path.of("target/guests").toAbsolutePath())
                        .controlGroups(controlGroups())
                        .build();
        bubblewrap = Bubblewrap.open(settings, threads);
        workspace = Files.createDirectory(directory.resolve("workspace"));
        Files.setAttribute(workspace, "unix:uid", Workspace.OWNER);
        // The sandbox by which bubblewrap was looked at is still being taken apart.
        Awaitility.await().atMost(PATIENCE).until(() -> bubblewrap.boxes() == 0);
        before = Remains.of(bubblewrap, sandboxes);
        removals =
                new SandboxRemovals(
                        threads,
                        4,
                        new SettingsForTests(Path.of("/"), Path.of("/")).build().sharing().part());
        nests = nests(Nests.Life.USUAL);
    }

    /// Where control groups are mounted.
    Path controlGroups() {
        return Path.of("/sys/fs/cgroup");
    }

    /// Where those of version 2 are, alone or beside version 1.
    ///
    /// `30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw`
    static Optional<Path> groupsOfVersion2() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                .filter(line -> line.contains(" - cgroup2 "))
                .map(line -> Path.of(line.split(" ", -1)[4]))
                .filter(Files::isWritable)
                .findFirst();
    }

    /// Whatever a test did, nothing is left of it a moment after the last nest was closed.
    @AfterEach
    void close() {
        nests.killAll();
        try {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .untilAsserted(() -> {
                        var left = remains();
                        assertThat(left.isNothing()).as("" + left).isTrue();
                    });
        } finally {
            bubblewrap.close(PATIENCE);
            threads.shutdownNow();
        }
    }

    /// What there is of sandboxes and nests beyond what was there before.
    Remains remains() throws IOException {
        return Remains.of(bubblewrap, sandboxes).beyond(before);
    }

    Bubblewrap bubblewrap() {
        return bubblewrap;
    }

    Nests nests(Nests.Life life) {
        return nests(life, SANDBOXES, true);
    }

    /// @param places for sandboxes at once
    /// @param keeps control groups and networks
    Nests nests(Nests.Life life, int places, boolean keeps) {
        return nests(life, places, keeps, NestTools.TRIALS);
    }

    /// @param trials to kill what does not die
    Nests nests(Nests.Life life, int places, boolean keeps, int trials) {
        var tools =
                new NestTools(
                        bubblewrap.machine(),
                        bubblewrap.slots(),
                        removals,
                        places,
                        64,
                        true,
                        keeps,
                        trials);
        return new Nests(tools, life);
    }

    Boot python() throws IOException {
        return Boot.of(Language.PYTHON, root(), "/usr/bin/python3");
    }

    Root root() throws IOException {
        return Root.ofHost(bubblewrap.machine().host().runtime().resolve("etc"));
    }

    NestBox make(String owner, Boot boot) throws Exception {
        return nests.make(owner, blueprint(boot));
    }

    static Blueprint blueprint(Boot boot) {
        return new Blueprint(boot, Limits.DEFAULT, Optional.empty(), CgroupGroup.WEIGHT_MAX);
    }

    String run(String owner, String code) throws Exception {
        return run(owner, python(), code);
    }

    String run(String owner, Boot boot, String code) throws Exception {
        var box = make(owner, boot);
        try {
            var output = begin(box, code);
            assertThat(box.awaitEnd(PATIENCE)).isTrue();
            assertThat(box.status()).isEqualTo(new ExitStatus.Exited(0));
            return output.text(output.stdout);
        } finally {
            box.end(owner);
        }
    }

    Rig.Output begin(NestBox box, String code) throws IOException {
        var output = new Rig.Output();
        box.attach(new Workspace.Directory(workspace));
        box.handOver(new Job(code, Map.of(), output, GuestOrder.NONE));
        return output;
    }

    static int user(PidFd process) throws IOException {
        try (var lines = Files.lines(Path.of("/proc", "" + process.pid(), "status"))) {
            var line = lines.filter(each -> each.startsWith("Uid:")).findFirst().orElseThrow();
            var users = new TreeSet<>(List.of(line.substring(5).split("\t", -1)));
            assertThat(users).hasSize(1);
            return Integer.parseInt(users.getFirst());
        }
    }

    long slots() throws IOException {
        try (var slots = Files.list(sandboxes.resolve(ServerToken.own() + "/slots"))) {
            return slots.count();
        }
    }
}
