package dev.caisson.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.caisson.linux.calls.KernelFiles;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Groups on the real kernel of this machine, whichever version it has.
@Tag("root")
class CgroupsTest {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final CgroupLimits LIMITS = new CgroupLimits(32L << 20, 0.5, 20);

    private final ServerToken owner = ServerToken.own();
    private final Cgroups groups = Cgroups.detect(ROOT, owner);

    /// What sandboxes of other tests stand on is theirs.
    @AfterEach
    void nothing_of_ours_is_left() {
        assertThat(directoriesOf(owner.toString()))
                .filteredOn(path -> !path.toString().matches(".*\\.(run|nest)-.*"))
                .isEmpty();
    }

    @Test
    void this_host_has_every_power() {
        for (var power : Cgroups.Power.values()) {
            assertThat(groups.missing(power)).as("%s", power).isEmpty();
        }
        assertThat(groups.describe()).contains("control groups version").contains("caisson");
    }

    @Test
    void a_program_that_takes_too_much_memory_is_killed_and_counted() throws Exception {
        var group = groups.create("memory", LIMITS);
        assertThat(group.oomKills()).isZero();

        assertThat(run(group, "exec head -c 100000000 /dev/zero | tail")).isNotZero();

        assertThat(group.oomKills()).isPositive();
        assertThat(group.memoryPeakBytes()).isBetween(16L << 20, 32L << 20);
        assertThat(group.cpuTime()).isPositive();
        assertThat(group.remove()).isTrue();
    }

    @Test
    void a_program_within_its_memory_is_left_alone() throws Exception {
        var group = groups.create("modest", LIMITS);
        assertThat(run(group, "head -c 8000000 /dev/zero | tail | wc -c")).isZero();
        assertThat(group.oomKills()).isZero();
        assertThat(group.remove()).isTrue();
    }

    @Test
    void processes_end_at_their_number() throws Exception {
        var group = groups.create("processes", LIMITS);
        var script = "i=0; while [ $i -lt %d ]; do sleep 30 & i=$((i+1)); done; exit 0";

        assertThat(run(group, script.formatted(15))).isZero();
        assertThat(group.forksRefused()).isZero();
        assertThat(group.killAll()).isTrue();

        run(group, script.formatted(40));
        assertThat(group.forksRefused()).isPositive();
        assertThat(group.remove()).isTrue();
    }

    @Test
    void a_group_tells_whether_it_holds_others_than_those_named() throws Exception {
        var group = groups.create("others", LIMITS);
        assertThat(group.holdsOnly(Set.of())).isTrue();

        assertThat(run(group, "sleep 30 & echo $!")).isZero();
        var left = Long.parseLong(Files.readString(group.procsFiles().getFirst()).strip());
        assertThat(group.holdsOnly(Set.of())).isFalse();
        assertThat(group.holdsOnly(Set.of(left))).isTrue();

        assertThat(group.remove()).isTrue();
        assertThat(group.holdsOnly(Set.of())).as("nobody knows").isFalse();
    }

    @Test
    void limits_can_be_raised_and_lowered() throws Exception {
        var group = groups.create("changing", LIMITS);
        group.update(new CgroupLimits(64L << 20, 2.0, 40));
        group.update(new CgroupLimits(16L << 20, 0.01, 1));
        group.update(LIMITS);
        group.weigh(1);
        group.weigh(CgroupGroup.WEIGHT_MAX);
        group.update(LIMITS);
        assertThat(group.remove()).isTrue();
    }

    @Test
    void killing_reaches_what_ran_away_and_ignores_signals() throws Exception {
        var group = groups.create("runaways", LIMITS);
        run(group, "trap '' TERM HUP; setsid sh -c 'sleep 300 & sleep 300' & setsid sleep 300 &");
        assertThat(group.isEmpty()).isFalse();

        assertThat(group.killAll()).isTrue();
        assertThat(group.isEmpty()).isTrue();
        assertThat(group.remove()).isTrue();
        assertThat(group.remove()).as("again").isTrue();
    }

    @Test
    void what_is_frozen_can_be_killed_and_removed() throws Exception {
        var group = groups.create("frozen", LIMITS);
        run(group, "setsid sleep 300 & setsid sh -c 'kill -STOP $$' &");
        freeze(group);
        assertThat(group.killAll()).isTrue();

        run(group, "setsid sleep 300 &");
        freeze(group);
        assertThat(group.remove()).isTrue();
    }

    @Test
    void what_is_frozen_goes_on_when_it_is_thawed() throws Exception {
        var group = groups.create("thawed", LIMITS);
        freeze(group);
        group.thaw();
        assertThat(run(group, "true")).isZero();
        assertThat(group.remove()).isTrue();
    }

    @Test
    void who_stands_still_uses_no_processor() throws Exception {
        assertThat(groups.canFreeze()).isTrue();
        var group = groups.create("still", LIMITS);
        assertThat(group.canFreeze()).isTrue();
        run(group, "setsid sh -c 'while :; do :; done' &");
        await().until(() -> group.cpuTime().isPositive());
        await().until(group::freeze);
        var before = group.cpuTime();
        Thread.sleep(200);
        assertThat(group.cpuTime()).isEqualTo(before);
        group.thaw();
        await().until(() -> group.cpuTime().compareTo(before) > 0);
        assertThat(group.remove()).isTrue();
    }

    /// By the file this kernel has for it.
    private static void freeze(CgroupGroup group) throws IOException {
        int frozen = 0;
        for (var file : group.procsFiles()) {
            var first = file.resolveSibling("freezer.state");
            var second = file.resolveSibling("cgroup.freeze");
            if (Files.exists(first)) {
                KernelFiles.write(first, "FROZEN");
                await().until(() -> KernelFiles.read(first).equals("FROZEN"));
                frozen++;
            } else if (Files.exists(second)) {
                KernelFiles.write(second, "1");
                frozen++;
            }
        }
        assertThat(frozen).isPositive();
    }

    @Test
    void busy_processes_that_hardly_get_the_processor_come_to_die() throws Exception {
        var group = groups.create("starved", LIMITS);
        run(group, "for i in 1 2 3 4 5 6 7 8 9 10; do setsid sh -c 'while :; do :; done' & done");
        group.update(new CgroupLimits(LIMITS.memoryBytes(), 0.01, LIMITS.processes()));

        assertThat(group.killAll()).isTrue();
        assertThat(group.remove()).isTrue();
    }

    @Test
    void removing_a_group_kills_what_is_in_it() throws Exception {
        var group = groups.create("busy", LIMITS);
        run(group, "setsid sleep 300 &");
        assertThat(group.remove()).isTrue();
    }

    @Test
    void a_launcher_that_joined_only_one_tree_is_killed_too() throws Exception {
        var group = groups.create("half", LIMITS);
        var first = group.procsFiles().getFirst();
        var half =
                new ProcessBuilder("sh", "-c", "echo 0 > \"$0\" && sleep 300", first.toString())
                        .start();
        await().atMost(Duration.ofSeconds(30)).until(() -> !group.isEmpty());
        assertThat(group.remove()).isTrue();
        assertThat(half.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_name_is_short_and_plain() {
        for (var bad : List.of("", "../x", "A", "x".repeat(65), "a.b")) {
            assertThatThrownBy(() -> groups.create(bad, LIMITS))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void a_name_in_use_is_refused_and_the_first_stays() throws Exception {
        var group = groups.create("x".repeat(64), LIMITS);
        assertThatThrownBy(() -> groups.create("x".repeat(64), LIMITS))
                .isInstanceOf(IllegalStateException.class);
        assertThat(group.procsFiles()).isNotEmpty().allMatch(Files::exists);
        assertThat(group.remove()).isTrue();
    }

    @Test
    void a_sweep_removes_what_dead_servers_left_and_nothing_else() throws Exception {
        var mine = groups.create("mine", LIMITS);
        var dead = new ServerToken(ProcessHandle.current().pid(), 1);
        var left = Cgroups.detect(ROOT, dead).create("left", LIMITS);
        run(left, "setsid sleep 300 &");
        assertThat(directoriesOf(dead.toString())).isNotEmpty();

        assertThat(groups.sweep()).isPositive();

        assertThat(directoriesOf(dead.toString())).isEmpty();
        assertThat(mine.procsFiles()).allMatch(Files::exists);
        assertThat(mine.remove()).isTrue();
    }

    @Test
    void a_host_without_groups_says_so() {
        var none = Cgroups.detect(Path.of("/nowhere"), owner);
        assertThat(none.missing(Cgroups.Power.MEMORY).orElseThrow())
                .contains("/nowhere")
                .contains("mount");
    }

    @Test
    void limits_have_least_values() {
        assertThatThrownBy(() -> new CgroupLimits((1 << 20) - 1, 1, 1))
                .hasMessageContaining("1 MiB");
        assertThatThrownBy(() -> new CgroupLimits(1 << 20, 0.009, 1)).hasMessageContaining("cpus");
        assertThatThrownBy(() -> new CgroupLimits(1 << 20, 1, 0)).hasMessageContaining("process");
        assertThat(new CgroupLimits(1 << 20, 0.01, 1).processes()).isEqualTo(1);
    }

    /// Runs a script as a launcher does: it joins every tree or does not run.
    private static int run(CgroupGroup group, String script) throws Exception {
        var join =
                group.procsFiles().stream()
                        .map(file -> "echo 0 > '%s' || exit 125; ".formatted(file))
                        .collect(Collectors.joining());
        var process =
                new ProcessBuilder("sh", "-c", join + script)
                        .redirectErrorStream(true)
                        .redirectOutput(Redirect.DISCARD)
                        .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isNotEqualTo(125);
        return process.exitValue();
    }

    private static List<Path> directoriesOf(String token) {
        try {
            return LiveTree.find(ROOT, 8, (path, _) -> isOf(path, token));
        } catch (IOException failed) {
            throw new java.io.UncheckedIOException(failed);
        }
    }

    private static boolean isOf(Path path, String token) {
        return path.getFileName().toString().startsWith(token + ".");
    }
}
