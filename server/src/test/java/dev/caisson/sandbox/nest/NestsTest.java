package dev.caisson.sandbox.nest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.ExitStatus;
import dev.caisson.linux.PidFd;
import dev.caisson.sandbox.Blueprint;
import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.GuestOrder;
import dev.caisson.sandbox.Job;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.PackageEnvironment;
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
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the sandboxes of one nest share and what they do not, and what becomes of them when
/// something of a nest fails.
@Tag("root")
@Tag("slow")
class NestsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SIGSTOP = 19;

    /// Where things lie in memory, and how text is hashed.
    private static final String SHARED =
            "print(open('/proc/self/maps').readline().split()[0], hash('text'))";

    private static final String RANDOM =
            """
            import random, uuid, ssl, os
            print(random.random(), uuid.uuid4(), ssl.RAND_bytes(8).hex(), os.urandom(8).hex())
            """;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Bubblewrap bubblewrap;
    private Path workspace;
    private Nests nests;

    @BeforeEach
    void open(@TempDir Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        var settings =
                new SettingsForTests(
                                directory.resolve("sandboxes"),
                                Path.of("target/guests").toAbsolutePath())
                        .build();
        bubblewrap = Bubblewrap.open(settings, threads);
        workspace = Files.createDirectory(directory.resolve("workspace"));
        Files.setAttribute(workspace, "unix:uid", Workspace.OWNER);
        nests = nests(Nests.Life.USUAL);
    }

    @AfterEach
    void close() {
        nests.killAll();
        bubblewrap.close(PATIENCE);
        threads.shutdownNow();
    }

    private Nests nests(Nests.Life life) {
        var removals =
                new SandboxRemovals(
                        threads,
                        4,
                        new SettingsForTests(Path.of("/"), Path.of("/")).build().sharing().part());
        var tools = new NestTools(bubblewrap.machine(), bubblewrap.slots(), removals, 4, true);
        return new Nests(tools, life);
    }

    private Boot python() throws IOException {
        return Boot.of(Language.PYTHON, root(), "/usr/bin/python3");
    }

    private Root root() throws IOException {
        return Root.ofHost(bubblewrap.machine().host().runtime().resolve("etc"));
    }

    private NestBox make(String owner, Boot boot) throws Exception {
        return nests.make(owner, blueprint(boot));
    }

    private static Blueprint blueprint(Boot boot) {
        return new Blueprint(boot, Limits.DEFAULT, Optional.empty(), CgroupGroup.WEIGHT_MAX);
    }

    private String run(String owner, String code) throws Exception {
        return run(owner, python(), code);
    }

    private String run(String owner, Boot boot, String code) throws Exception {
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

    private Rig.Output begin(NestBox box, String code) throws IOException {
        var output = new Rig.Output();
        box.attach(new Workspace.Directory(workspace));
        box.handOver(new Job(code, Map.of(), output, GuestOrder.NONE));
        return output;
    }

    @Test
    void runs_of_one_key_share_layout_and_hashes_and_those_of_two_keys_do_not() throws Exception {
        var first = run("one", SHARED);
        assertThat(run("one", SHARED)).isEqualTo(first);
        assertThat(run("two", SHARED)).isNotEqualTo(first);
    }

    @Test
    void a_nest_is_renewed_with_another_layout_and_other_hashes() throws Exception {
        nests = nests(new Nests.Life(1, Duration.ofMinutes(10), Duration.ofMinutes(2)));
        var first = run("one", SHARED);
        assertThat(run("one", SHARED)).isNotEqualTo(first);
        nests.killAll();
        nests = nests(new Nests.Life(100, Duration.ZERO, Duration.ofMinutes(2)));
        var third = run("one", SHARED);
        assertThat(run("one", SHARED)).isNotEqualTo(third);
    }

    @Test
    void random_numbers_of_two_runs_differ() throws Exception {
        var first = List.of(run("one", RANDOM).strip().split(" ", -1));
        var second = List.of(run("one", RANDOM).strip().split(" ", -1));
        assertThat(first).hasSize(4);
        for (int each = 0; each < first.size(); each++) {
            assertThat(second.get(each)).isNotEqualTo(first.get(each));
        }
    }

    @Test
    void every_sandbox_has_users_of_its_own_and_none_is_the_nests() throws Exception {
        var one = make("one", python());
        var two = make("one", python());
        try {
            var users =
                    List.of(
                            user(one.nest().founded().first()),
                            user(one.parts().processes().first()),
                            user(one.parts().processes().program()),
                            user(two.parts().processes().first()),
                            user(two.parts().processes().program()));
            assertThat(users).doesNotHaveDuplicates().doesNotContain(0);
        } finally {
            one.end();
            two.end();
        }
    }

    private static int user(PidFd process) throws IOException {
        try (var lines = Files.lines(Path.of("/proc", "" + process.pid(), "status"))) {
            var line = lines.filter(each -> each.startsWith("Uid:")).findFirst().orElseThrow();
            var users = new TreeSet<>(List.of(line.substring(5).split("\t", -1)));
            assertThat(users).hasSize(1);
            return Integer.parseInt(users.getFirst());
        }
    }

    @Test
    void the_death_of_a_zygote_ends_its_nest_and_no_other() throws Exception {
        var lost = make("one", python());
        begin(lost, "import time; time.sleep(600)");
        var other = make("two", python());
        var output = begin(other, "import time; time.sleep(1); print('on')");
        zygote(lost.nest()).destroyForcibly();
        assertThatThrownBy(() -> make("one", python())).isInstanceOf(IOException.class);
        assertThat(lost.nest().isAlive()).isFalse();
        run("one", "pass");
        assertThat(lost.awaitEnd(PATIENCE)).isTrue();
        assertThat(lost.wasLost()).isTrue();
        assertThat(other.awaitEnd(PATIENCE)).isTrue();
        assertThat(other.wasLost()).isFalse();
        assertThat(output.text(output.stdout)).isEqualTo("on\n");
        lost.end();
        other.end();
    }

    private static ProcessHandle zygote(Nest nest) {
        return ProcessHandle.of(nest.founded().first().pid())
                .orElseThrow()
                .children()
                .filter(child -> child.info().command().orElse("").contains("python"))
                .filter(child -> !isInside(child, nest))
                .findFirst()
                .orElseThrow();
    }

    /// The zygote is in the nest's own process namespace.
    private static boolean isInside(ProcessHandle process, Nest nest) {
        try {
            return !Files.readSymbolicLink(Path.of("/proc", "" + process.pid(), "ns/pid"))
                    .equals(
                            Files.readSymbolicLink(
                                    Path.of("/proc", "" + nest.founded().first().pid(), "ns/pid")));
        } catch (IOException gone) {
            return true;
        }
    }

    @Test
    void a_nest_that_does_not_answer_is_left_and_its_programs_end() throws Exception {
        var lost = make("one", python());
        begin(lost, "import time; time.sleep(600)");
        lost.nest().founded().first().signal(SIGSTOP);
        assertThatThrownBy(() -> make("one", python())).isInstanceOf(IOException.class);
        run("one", "pass");
        assertThat(lost.awaitEnd(PATIENCE)).isTrue();
        assertThat(lost.wasLost()).isTrue();
        lost.end();
    }

    /// A server that dies closes its sockets, and its thread's children die with it.
    @Test
    void a_nest_whose_server_is_gone_ends() throws Exception {
        var one = make("one", python());
        var two = make("two", python());
        one.nest().founded().line().close();
        two.nest().founded().outer().kill();
        for (var box : List.of(one, two)) {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> box.nest().founded().first().hasExited());
            Awaitility.await().atMost(PATIENCE).until(box::hasEnded);
            box.end();
        }
    }

    /// A boot recipe with a module that is imported before there is a program.
    private Boot preloading(Path directory, String name, String text) throws IOException {
        return preloading(directory, name, text, name);
    }

    private Boot preloading(Path directory, String file, String text, String name)
            throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        var path = directory.resolve("python").resolve(file + ".py");
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
        var environment =
                new PackageEnvironment(
                        "own",
                        "0",
                        directory,
                        Optional.of("3"),
                        false,
                        List.of(),
                        List.of(name),
                        1,
                        Instant.EPOCH);
        return python().with(List.of(environment));
    }

    @Test
    void an_interpreter_with_two_threads_is_booted_for_each_run(@TempDir Path packages)
            throws Exception {
        var text =
                """
                import threading, time
                threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
                """;
        var boot = preloading(packages, "threaded", text);
        var code = "import threading\n" + SHARED + "\nprint(threading.active_count())";
        var first = run("one", boot, code);
        assertThat(first).endsWith("2\n");
        assertThat(run("one", boot, code)).isNotEqualTo(first).endsWith("2\n");
        assertThat(nests.unforked()).hasValueSatisfying(why -> assertThat(why).contains("threads"));
    }

    /// Numpy's own way: one generator for all, seeded by the kernel on import and by `seed()`.
    private static final String GENERATOR =
            """
            import os
            def seed():
                global state
                state = os.urandom(8).hex()
            seed()
            imported = state
            """;

    @Test
    void a_fork_has_what_was_imported_before_it_and_another_generator(@TempDir Path packages)
            throws Exception {
        Files.createDirectories(packages.resolve("python/numpy"));
        Files.writeString(packages.resolve("python/numpy/random.py"), GENERATOR);
        var boot = preloading(packages, "numpy/__init__", "from numpy import random\n", "numpy");
        var code = "import numpy; print(numpy.random.imported, numpy.random.state)";
        var first = run("one", boot, code).strip().split(" ", -1);
        var second = run("one", boot, code).strip().split(" ", -1);
        assertThat(second[0]).isEqualTo(first[0]);
        assertThat(List.of(first[1], second[1])).doesNotHaveDuplicates().doesNotContain(first[0]);
        assertThat(nests.unforked()).isEmpty();
    }

    @Test
    void what_may_have_several_threads_is_not_forked_with_packages(@TempDir Path packages)
            throws Exception {
        var boot = preloading(packages, "nothing", "");
        assertThat(boot.canFork(Limits.DEFAULT)).isTrue();
        var two =
                new Limits(Limits.DEFAULT.wall(), 512L << 20, 1.5, 128, 1_024, 1L << 30, 1L << 27);
        assertThat(boot.canFork(two)).isFalse();
        assertThat(python().canFork(two)).isTrue();
    }

    @Test
    void after_three_failures_a_shape_is_left_to_others_for_a_while() throws Exception {
        var boot = new Boot(root(), List.of("/bin/false"), Map.of(), List.of("main.py"));
        for (int trial = 0; trial < Nests.FAILURES_MAX; trial++) {
            assertThat(nests.isReadyFor("one", blueprint(boot))).isTrue();
            assertThatThrownBy(() -> make("one", boot)).isInstanceOf(IOException.class);
        }
        assertThat(nests.isReadyFor("one", blueprint(boot))).isFalse();
        assertThat(nests.isReadyFor("one", blueprint(python()))).isTrue();
        assertThat(nests.isReadyFor("two", blueprint(boot))).isTrue();
    }

    @Test
    void a_nest_is_closed_when_it_is_idle_and_when_its_caller_is_gone() throws Exception {
        nests = nests(new Nests.Life(100, Duration.ofMinutes(10), Duration.ZERO));
        var box = make("one", python());
        begin(box, "import time; time.sleep(600)");
        assertThat(box.nest().isIdleFor(Duration.ZERO)).isFalse();
        nests.tidy();
        assertThat(box.nest().isAlive()).isTrue();
        nests.forget("two");
        assertThat(box.nest().isAlive()).isTrue();
        nests.forget("one");
        assertThat(box.awaitEnd(PATIENCE)).isTrue();
        box.end();
        run("one", "pass");
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> {
                    nests.tidy();
                    return nests.count() == 0;
                });
    }
}
