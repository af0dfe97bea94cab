package dev.caisson.sandbox.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.PoolFigures;
import dev.caisson.sandbox.PoolSettings;
import dev.caisson.sandbox.Rig;
import dev.caisson.sandbox.Start;
import dev.caisson.sandbox.Warmed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Sandboxes that wait: taken once, replaced, and never noticed but for the time they save.
@Tag("root")
@Tag("slow")
@Warmed
@ExtendWith(Rig.Shared.class)
class PoolTest {
    private final Rig rig;

    PoolTest(Rig rig) {
        this.rig = rig;
    }

    private static ConditionFactory soon() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }

    /// The sandboxes of a rig, told by the directory they are made in.
    private static Set<Long> sandboxes(Rig of) {
        return ProcessHandle.current()
                .children()
                .map(ProcessHandle::pid)
                .filter(pid -> command(pid).contains(of.directory().toString()))
                .collect(Collectors.toSet());
    }

    private static String command(long pid) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"));
        } catch (IOException gone) {
            return "";
        }
    }

    private static Start start(Rig.Result result) {
        return result.outcome().usage().start().orElseThrow();
    }

    @Test
    void a_program_of_every_language_finds_a_sandbox_that_waits() throws Exception {
        int seen = 0;
        for (var runner : rig.sandboxes().runners().available()) {
            var hello =
                    switch (runner.language()) {
                        case PYTHON -> "print('hello')";
                        case NODE, TYPESCRIPT -> "console.log('hello')";
                        case BASH -> "echo hello";
                    };
            var result = rig.run(runner.language(), hello);
            assertThat(result.stdout()).isEqualTo("hello\n");
            assertThat(start(result)).isEqualTo(Start.WARM);
            seen++;
        }
        assertThat(seen).isEqualTo(4);
    }

    @Test
    void limits_are_those_of_the_run_on_both_sides() throws Exception {
        var code =
                """
                import os, time
                children = 0
                try:
                    for _ in range(30):
                        if os.fork() == 0: time.sleep(100)
                        children += 1
                except BlockingIOError: pass
                print(children)
                """;
        var few =
                new Limits(
                        Rig.LIMITS.wall(),
                        Rig.LIMITS.memoryBytes(),
                        1.0,
                        12,
                        Rig.LIMITS.openFiles(),
                        Rig.LIMITS.fileBytes(),
                        Rig.LIMITS.tmpBytes());
        var limited = rig.run(Language.PYTHON, code, few);
        assertThat(start(limited)).isEqualTo(Start.WARM);
        assertThat(Integer.parseInt(limited.stdout().strip())).isBetween(5, 11);
        assertThat(rig.run(Language.PYTHON, code).stdout()).isEqualTo("30\n");
    }

    @Test
    void what_cannot_be_changed_any_more_makes_a_cold_start() throws Exception {
        var other =
                new Limits(
                        Rig.LIMITS.wall(),
                        Rig.LIMITS.memoryBytes(),
                        1.0,
                        64,
                        100,
                        Rig.LIMITS.fileBytes(),
                        Rig.LIMITS.tmpBytes());
        var result = rig.run(Language.BASH, "ulimit -n", other);
        assertThat(result.stdout()).isEqualTo("100\n");
        assertThat(start(result)).isEqualTo(Start.COLD);
    }

    @Test
    void one_that_died_while_waiting_is_replaced_and_nobody_notices() throws Exception {
        rig.awaitReady(Language.PYTHON);
        var before = sandboxes(rig);
        before.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        for (int run = 0; run < 3; run++) {
            assertThat(rig.run(Language.PYTHON, "print(1)").stdout()).isEqualTo("1\n");
        }
        soon().until(() -> rig.ready(Language.PYTHON) > 0 && rig.ready(Language.BASH) > 0);
        assertThat(sandboxes(rig)).doesNotContainAnyElementsOf(before);
    }

    @Test
    void looking_again_for_runners_empties_the_pool() throws Exception {
        rig.awaitReady(Language.BASH);
        var before = sandboxes(rig);
        assertThat(before).isNotEmpty();
        rig.sandboxes().reload();
        soon().until(() -> sandboxes(rig).stream().noneMatch(before::contains));
        rig.awaitReady(Language.BASH);
    }

    @Test
    void two_runs_share_nothing() throws Exception {
        var seen = new HashSet<String>();
        for (int run = 0; run < 3; run++) {
            var python =
                    """
                    import os, random, sys
                    print(hash('caisson'), random.random(), os.urandom(4).hex())
                    print(os.listdir('/tmp') + os.listdir('/dev/shm') + os.listdir('/workspace'),
                          os.environ.get('MARK'), sys.flags.hash_randomization,
                          getattr(sys, 'mark', None), sorted(os.listdir('/proc/self/fd')))
                    sys.mark = os.environ['MARK'] = 'left'
                    for place in ('/tmp', '/dev/shm', '/workspace'): open(place + '/mark', 'w').close()
                    """;
            var lines = rig.run(Language.PYTHON, python).stdout().split("\n", 2);
            assertThat(seen.add(lines[0])).isTrue();
            assertThat(lines[1]).isEqualTo("[] None 1 None ['0', '1', '2', '3', '7']\n");
        }
        for (int run = 0; run < 3; run++) {
            var node = "console.log(Math.random(), globalThis.mark); globalThis.mark = 1";
            var line = rig.run(Language.NODE, node).stdout();
            assertThat(line).endsWith(" undefined\n");
            assertThat(seen.add(line)).isTrue();
        }
        assertThat(seen).hasSize(6);
    }

    /// Everything a program can see of how it is confined.
    private static final String POSTURE =
            """
            import os, re, resource
            def text(path): return open(path).read()
            status = [l for l in text('/proc/self/status').splitlines() if re.match('Cap|Seccomp:|NoNewPrivs|Uid|Gid|Groups|NSpid', l)]
            mounts = sorted(' '.join(l.split()[4:6] + l.split(' - ')[1].split()[:1] + sorted(l.split(' - ')[1].split()[2].split(','))) for l in text('/proc/self/mountinfo').splitlines())
            limits = [(n, resource.getrlimit(getattr(resource, n))) for n in dir(resource) if n.startswith('RLIMIT')]
            facts = status + mounts + limits + [text('/proc/self/limits'), sorted(os.environ.items()), os.getcwd(), os.getsid(0), os.getpgrp(), os.nice(0), os.sched_getaffinity(0), text('/proc/self/cgroup').count(chr(10)), text('/proc/self/uid_map').split()[0], text('/proc/self/uid_map').split()[2], sorted(os.listdir('/proc/self/fd')), sorted(os.listdir('/')), text('/proc/self/oom_score_adj'), text('/proc/self/comm')]
            print(re.sub(r'uid=\\d+|gid=\\d+', 'id', chr(10).join(map(str, facts))))
            """;

    @Test
    void one_that_waited_stands_as_one_that_did_not() throws Exception {
        var warm = rig.run(Language.PYTHON, POSTURE);
        var cold =
                rig.run(
                        Language.PYTHON,
                        POSTURE,
                        new Limits(
                                Rig.LIMITS.wall(),
                                Rig.LIMITS.memoryBytes(),
                                Rig.LIMITS.cpus(),
                                Rig.LIMITS.processes(),
                                Rig.LIMITS.openFiles(),
                                Rig.LIMITS.fileBytes() - 1,
                                Rig.LIMITS.tmpBytes()),
                        rig.workspace(),
                        Map.of());
        assertThat(start(warm)).isEqualTo(Start.WARM);
        assertThat(start(cold)).isEqualTo(Start.COLD);
        var expected =
                cold.stdout()
                        .replace("" + (Rig.LIMITS.fileBytes() - 1), "" + Rig.LIMITS.fileBytes());
        assertThat(warm.stdout()).isEqualTo(expected).contains("/workspace", "Seccomp:\t2");
        assertThat(warm.stdout().lines().count()).isGreaterThan(60);
    }

    @Test
    void a_run_that_finds_none_waiting_starts_cold_and_says_so() throws Exception {
        var tiny = PoolSettings.of(Rig.LIMITS, 1, Duration.ofMinutes(5));
        try (var small = Rig.open(tiny)) {
            var result = small.run(Language.BASH, "echo 1", Rig.LIMITS);
            assertThat(result.stdout()).isEqualTo("1\n");
            assertThat(start(result)).isEqualTo(Start.COLD);
            assertThat(small.ready(Language.BASH)).isZero();
        }
    }

    @Test
    void more_wait_after_demand_and_fewer_after_idleness_and_none_grows_old() throws Exception {
        var impatient =
                new PoolSettings(
                        Rig.LIMITS, 256L << 20, Duration.ofSeconds(4), Duration.ofSeconds(6), 1);
        try (var small = Rig.open(impatient)) {
            small.awaitReady(Language.BASH);
            var first = sandboxes(small);
            for (int run = 0; run < 4; run++) {
                small.run(Language.BASH, "echo 1");
            }
            soon().until(() -> target(small) > 1);
            soon().until(() -> target(small) == 1);
            soon().until(() -> sandboxes(small).stream().noneMatch(first::contains));
            small.awaitReady(Language.BASH);
        }
    }

    @Test
    void one_that_gave_way_to_others_is_not_made_again_at_once() throws Exception {
        var little = PoolSettings.of(Rig.LIMITS, 64L << 20, Duration.ofMinutes(5));
        try (var small = Rig.open(little)) {
            small.run(Language.NODE, "console.log(1)");
            small.run(Language.TYPESCRIPT, "console.log(1)");
            small.run(Language.NODE, "console.log(1)");
            soon().until(() -> staysTheSame(small));
        }
    }

    private static boolean staysTheSame(Rig of) throws InterruptedException {
        var before = sandboxes(of);
        Thread.sleep(Duration.ofSeconds(2));
        return !before.isEmpty() && before.equals(sandboxes(of));
    }

    private static int target(Rig of) {
        return of.sandboxes().pool().stream()
                .filter(figures -> figures.runner().equals("bash"))
                .mapToInt(PoolFigures::target)
                .sum();
    }
}
