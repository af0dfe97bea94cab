package dev.caisson.sandbox.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.CgroupLimits;
import dev.caisson.linux.MountFlag;
import dev.caisson.linux.UnixSockets;
import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Root;
import dev.caisson.sandbox.Workspace;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The confinement policy as documents: what is promised is compared word for word.
class SandboxSpecTest {
    private static final Limits LIMITS =
            new Limits(Duration.ofSeconds(5), 256L << 20, 0.5, 32, 512, 1L << 20, 8L << 20);
    private static final Set<MountFlag> WRITABLE = Set.of(MountFlag.NO_SUID, MountFlag.NO_DEV);
    private static final Set<MountFlag> READ_ONLY =
            Set.of(MountFlag.NO_SUID, MountFlag.NO_DEV, MountFlag.READ_ONLY);
    private static final Host HOST =
            new Host(
                    Path.of("/run/c/runtime"),
                    new Host.Programs(
                            Path.of("/bin/sh"),
                            Path.of("/usr/bin/prlimit"),
                            Path.of("/usr/bin/setpriv"),
                            Path.of("/usr/bin/bwrap")),
                    List.of("kcore"),
                    List.of("fs"),
                    true,
                    Optional.empty());
    private static final Root ROOT =
            new Root(
                    List.of(
                            new Root.Entry.Shown("usr", Path.of("/usr")),
                            new Root.Entry.Link("bin", "usr/bin"),
                            new Root.Entry.Shown("etc", Path.of("/run/c/runtime/etc"))));

    private static Confinement confinement(OptionalInt user, Optional<Path> workspace) {
        return confinement(user, workspace, UnixSockets.PRIVATE_PLACES);
    }

    private static Confinement confinement(
            OptionalInt user, Optional<Path> workspace, UnixSockets sockets) {
        return new Confinement(
                HOST,
                new Boot(ROOT, List.of("/usr/bin/thing", "go"), Map.of("A", "b"), List.of("main")),
                Path.of("/run/c/slots/0"),
                user,
                List.of(Path.of("/cg/memory/x/cgroup.procs"), Path.of("/cg/pids/x/cgroup.procs")),
                true,
                sockets,
                LIMITS,
                workspace);
    }

    @Test
    void a_sandbox_of_the_full_tier_is_started_with_exactly_these_words() {
        var spec = SandboxSpec.of(confinement(OptionalInt.of(200_001), Optional.empty()));
        var words = spec.command();
        assertThat(words.subList(0, 2)).containsExactly("/bin/sh", "-c");
        assertThat(words.get(2))
                .isEqualTo(
                        """
                        slot=$1; filter=$2; shift 2
                        echo 1000 2>/dev/null >/proc/self/oom_score_adj
                        while [ "$1" != -- ]; do echo 0 > "$1" || exit 125; shift; done
                        shift
                        exec 5>&1 6>&2 7>"$slot/control" 9<"$filter" 1>"$slot/boot.log" 2>&1 || exit 125
                        exec "$@"
                        """);
        assertThat(words.subList(3, words.size()))
                .containsExactly(
                        """
                        sandbox /run/c/slots/0 /run/c/runtime/filter
                        /cg/memory/x/cgroup.procs /cg/pids/x/cgroup.procs --
                        /usr/bin/prlimit --core=0:0 --nofile=512:512 --fsize=1048576:1048576
                        --stack=8388608:67108864 --memlock=65536:65536 --msgqueue=819200:819200
                        --rtprio=0:0 --nice=0:0 --sigpending=1024:1024
                        /usr/bin/setpriv --reuid=200001 --regid=200001 --clear-groups --bounding-set=-all
                        --no-new-privs --inh-caps=-all --ambient-caps=-all
                        /usr/bin/bwrap --unshare-all --unshare-user --disable-userns
                        --uid 1000 --gid 1000 --hostname sandbox --new-session --die-with-parent
                        --clearenv --setenv A b --setenv HOME /workspace --setenv LANG C.UTF-8
                        --setenv NODE_OPTIONS --max-old-space-size=256
                        --setenv PATH /run/guest/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
                        --ro-bind /usr /usr --symlink usr/bin /bin --ro-bind /run/c/runtime/etc /etc
                        --proc /proc --ro-bind /run/c/runtime/proc1 /proc/1 --dev /dev --dir /workspace --dir /tmp
                        --symlink /workspace /data --dir /home --symlink /workspace /home/baponi
                        --dir /var --symlink /tmp /var/tmp --symlink /workspace/node_modules /node_modules --dir /volumes --dir /run/offline
                        --ro-bind /run/c/runtime/guest /run/guest --ro-bind /run/c/slots/0/job /run/job
                        --remount-ro /proc --remount-ro /dev --remount-ro / --chdir /
                        --seccomp 9 -- /run/guest/gate/gate wait /usr/bin/thing go
                        """
                                .strip()
                                .split("\\s+"));
        assertThat(spec.gateWaits()).isTrue();
        assertThat(spec.later())
                .containsExactly(
                        new LateMount.Cover(
                                "/proc/cpuinfo", Path.of("/run/c/slots/0/limits/cpuinfo")),
                        new LateMount.Cover(
                                "/proc/meminfo", Path.of("/run/c/slots/0/limits/meminfo")),
                        new LateMount.Cover("/proc/stat", Path.of("/run/c/slots/0/limits/stat")),
                        new LateMount.Cover("/proc/kcore", Path.of("/dev/null")),
                        new LateMount.Cover("/proc/fs", Path.of("/run/c/runtime/empty")),
                        new LateMount.Tmpfs("/tmp", 8L << 20, 2_048, WRITABLE),
                        new LateMount.Tmpfs("/dev/shm", 64L << 20, 1_024, WRITABLE),
                        new LateMount.Terminals("/dev/pts", 16));
        assertThat(SandboxSpec.COVER_FLAGS).isEqualTo(READ_ONLY);
    }

    private static Confinement withPackages(Confinement plain) {
        var boot = plain.boot();
        var packages =
                new Boot(
                        boot.root(),
                        boot.command(),
                        boot.environment(),
                        boot.files(),
                        List.of(
                                new Boot.Shown("/opt/env/data", Path.of("/d/environments/ab12")),
                                new Boot.Shown("/opt/env/dev", Path.of("/d/environments/cd34"))),
                        Optional.of("/opt/env/data/node/node_modules"));
        return new Confinement(
                plain.host(),
                packages,
                plain.slot(),
                plain.user(),
                plain.groups(),
                plain.filtered(),
                plain.sockets(),
                plain.limits(),
                plain.workspace());
    }

    @Test
    void packages_are_attached_read_only_before_the_interpreter_starts() {
        var spec =
                SandboxSpec.of(
                        withPackages(confinement(OptionalInt.of(200_001), Optional.empty())));
        assertThat(String.join(" ", spec.command()))
                .contains("--dir /opt/env/data --dir /opt/env/dev --proc /proc")
                .contains("--dir /run --symlink /workspace/node_modules /run/node_modules")
                .contains("--symlink /opt/env/data/node/node_modules /node_modules")
                .doesNotContain("/d/environments");
        assertThat(spec.later())
                .contains(
                        new LateMount.Cover("/opt/env/data", Path.of("/d/environments/ab12")),
                        new LateMount.Cover("/opt/env/dev", Path.of("/d/environments/cd34")));
    }

    @Test
    void where_nothing_is_attached_later_packages_are_bound_read_only() {
        var spec =
                SandboxSpec.of(
                        withPackages(confinement(OptionalInt.empty(), Optional.of(Path.of("/w")))));
        assertThat(String.join(" ", spec.command()))
                .contains("--ro-bind /d/environments/ab12 /opt/env/data")
                .contains("--ro-bind /d/environments/cd34 /opt/env/dev");
        assertThat(spec.later()).isEmpty();
    }

    @Test
    void a_run_has_its_workspace_and_nothing_else() {
        var own = new Workspace.Directory(Path.of("/w"));
        assertThat(SandboxSpec.forRun(own))
                .containsExactly(new RunMount.Storage("/workspace", own, WRITABLE));
    }

    @Test
    void a_volume_stands_at_its_name_and_is_written_only_if_it_was_given_so() {
        var own = new Workspace.Directory(Path.of("/w"));
        var kept = new Workspace.Directory(Path.of("/kept"));
        var shown = new Workspace.Directory(Path.of("/shown"));
        var volumes =
                List.of(
                        new Workspace.Volume("kept", kept, true),
                        new Workspace.Volume("shown", shown, false));
        assertThat(SandboxSpec.forRun(new Workspace.WithVolumes(own, volumes)))
                .containsExactly(
                        new RunMount.Storage("/workspace", own, WRITABLE),
                        new RunMount.Directories("/volumes", List.of("kept", "shown"), READ_ONLY),
                        new RunMount.Storage("/volumes/kept", kept, WRITABLE),
                        new RunMount.Storage("/volumes/shown", shown, READ_ONLY));
    }

    @Test
    void the_control_group_has_the_limits_of_the_run() {
        assertThat(SandboxSpec.groupLimits(LIMITS))
                .isEqualTo(new CgroupLimits(256L << 20, 0.5, 32));
    }

    @Test
    void a_plain_user_changes_no_user_and_attaches_nothing_later() {
        var spec = SandboxSpec.of(confinement(OptionalInt.empty(), Optional.of(Path.of("/w"))));
        assertThat(spec.later()).isEmpty();
        assertThat(spec.gateWaits()).isFalse();
        assertThat(String.join(" ", spec.command()))
                .doesNotContain("--reuid")
                .contains("--no-new-privs")
                .contains(
                        "--proc /proc --ro-bind /run/c/runtime/proc1 /proc/1 --ro-bind /run/c/slots/0/limits/cpuinfo /proc/cpuinfo --ro-bind /run/c/slots/0/limits/meminfo /proc/meminfo --ro-bind /run/c/slots/0/limits/stat /proc/stat --ro-bind /dev/null /proc/kcore --ro-bind /run/c/runtime/empty /proc/fs --dev /dev")
                .contains(
                        "--bind /w /workspace --size 8388608 --tmpfs /tmp --size 67108864 --tmpfs /dev/shm --ro-bind /run/c/runtime/empty /dev/pts")
                .endsWith("-- /run/guest/gate/gate now /usr/bin/thing go");
    }

    @Test
    void where_the_filter_refuses_sockets_there_is_no_gate() {
        var spec =
                SandboxSpec.of(
                        confinement(OptionalInt.of(1), Optional.empty(), UnixSockets.PAIRS_ONLY));
        assertThat(String.join(" ", spec.command())).endsWith("--seccomp 9 -- /usr/bin/thing go");
        assertThat(spec.gateWaits()).isFalse();
        assertThat(spec.later()).hasSize(8);
    }

    @Test
    void the_same_description_gives_the_same_words() {
        var confinement = confinement(OptionalInt.of(1), Optional.empty());
        assertThat(SandboxSpec.of(confinement)).isEqualTo(SandboxSpec.of(confinement));
    }

    @Test
    void every_language_has_a_guest_and_a_file() {
        assertThat(Language.values())
                .hasSize(4)
                .allSatisfy(language -> {
                    var boot = Boot.of(language, ROOT, "/usr/bin/it");
                    assertThat(boot.command()).contains("/usr/bin/it");
                    assertThat(boot.files())
                            .isNotEmpty()
                            .allMatch(name -> name.startsWith("main."));
                });
    }

    @Test
    void a_plain_users_temporary_files_are_bounded_in_bytes_and_in_number() {
        assertThat(plainWords())
                .containsSubsequence(
                        "/usr/bin/prlimit",
                        "/usr/bin/unshare",
                        "--map-root-user",
                        "nosuid,nodev,mode=1777,size=8388608,nr_inodes=2048",
                        "nosuid,nodev,mode=1777,size=67108864,nr_inodes=1024",
                        "/usr/bin/unshare",
                        "--map-user=1000",
                        "/usr/bin/setpriv",
                        "--bounding-set=-all",
                        "/usr/bin/bwrap",
                        "/run/c/slots/0/tmp",
                        "/tmp",
                        "/run/c/slots/0/shm",
                        "/dev/shm")
                .doesNotContain("--tmpfs");
    }

    /// Some versions of `setpriv` fail where they may not drop the bounding set, others go on
    /// without having done so.
    @Test
    @Tag("root")
    void a_plain_users_sandbox_is_made_without_any_capability() throws Exception {
        var words = plainWords();
        var command =
                new ArrayList<>(
                        List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
        command.addAll(List.of("unshare", "--user", "--map-root-user"));
        command.addAll(
                words.subList(
                        words.lastIndexOf("/usr/bin/unshare"), words.indexOf("/usr/bin/bwrap")));
        command.addAll(List.of("grep", "^Cap", "/proc/self/status"));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said.lines())
                .hasSize(5)
                .allSatisfy(line -> assertThat(line).endsWith("\t0000000000000000"));
    }

    private static List<String> plainWords() {
        var plain =
                new Host(
                        HOST.runtime(),
                        HOST.programs(),
                        List.of(),
                        List.of(),
                        false,
                        Optional.of(Path.of("/usr/bin/unshare")));
        var usual = confinement(OptionalInt.empty(), Optional.of(Path.of("/w")));
        return SandboxSpec.of(
                        new Confinement(
                                plain,
                                usual.boot(),
                                usual.slot(),
                                usual.user(),
                                usual.groups(),
                                usual.filtered(),
                                usual.sockets(),
                                usual.limits(),
                                usual.workspace()))
                .command();
    }
}
