package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.UnixSockets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/// The confinement policy as documents: what is promised is compared word for word.
class SandboxSpecTest {
    private static final Limits LIMITS =
            new Limits(Duration.ofSeconds(5), 256L << 20, 0.5, 32, 512, 1L << 20, 8L << 20);
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
                    true);
    private static final Root ROOT =
            new Root(
                    List.of(
                            new Root.Entry.Shown("usr", Path.of("/usr")),
                            new Root.Entry.Link("bin", "usr/bin"),
                            new Root.Entry.Shown("etc", Path.of("/run/c/runtime/etc"))));

    private static Cell cell(OptionalInt user, Optional<Path> workspace) {
        return cell(user, workspace, UnixSockets.PRIVATE_PLACES);
    }

    private static Cell cell(OptionalInt user, Optional<Path> workspace, UnixSockets sockets) {
        return new Cell(
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
        var spec = SandboxSpec.of(cell(OptionalInt.of(200_001), Optional.empty()));
        var words = spec.command();
        assertThat(words.subList(0, 2)).containsExactly("/bin/sh", "-c");
        assertThat(words.get(2)).contains("echo 0 > \"$1\" || exit 125").contains("exec \"$@\"");
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
                        --setenv PATH /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
                        --ro-bind /usr /usr --symlink usr/bin /bin --ro-bind /run/c/runtime/etc /etc
                        --proc /proc --ro-bind /run/c/runtime/proc1 /proc/1 --dev /dev --dir /workspace --dir /tmp
                        --symlink /workspace /data --dir /home --symlink /workspace /home/baponi
                        --dir /var --symlink /tmp /var/tmp --symlink /workspace/node_modules /node_modules --dir /volumes
                        --ro-bind /run/c/runtime/guest /run/guest --ro-bind /run/c/slots/0/job /run/job
                        --remount-ro /proc --remount-ro /dev --remount-ro / --chdir /
                        --seccomp 9 -- /run/guest/gate/gate wait /usr/bin/thing go
                        """
                                .strip()
                                .split("\\s+"));
        assertThat(spec.gateWaits()).isTrue();
        assertThat(spec.later())
                .containsExactly(
                        new LateMount.Cover("/proc/kcore", Path.of("/dev/null")),
                        new LateMount.Cover("/proc/fs", Path.of("/run/c/runtime/empty")),
                        new LateMount.Tmpfs("/tmp", 8L << 20, 2_048),
                        new LateMount.Tmpfs("/dev/shm", 64L << 20, 1_024),
                        new LateMount.Terminals("/dev/pts", 16),
                        new LateMount.RunWorkspace("/workspace"));
    }

    @Test
    void a_plain_user_changes_no_user_and_attaches_nothing_later() {
        var spec = SandboxSpec.of(cell(OptionalInt.empty(), Optional.of(Path.of("/w"))));
        assertThat(spec.later()).isEmpty();
        assertThat(spec.gateWaits()).isFalse();
        assertThat(String.join(" ", spec.command()))
                .doesNotContain("--reuid")
                .contains("--no-new-privs")
                .contains(
                        "--proc /proc --ro-bind /run/c/runtime/proc1 /proc/1 --ro-bind /dev/null /proc/kcore --ro-bind /run/c/runtime/empty /proc/fs --dev /dev")
                .contains(
                        "--bind /w /workspace --size 8388608 --tmpfs /tmp --size 67108864 --tmpfs /dev/shm --ro-bind /run/c/runtime/empty /dev/pts")
                .endsWith("-- /run/guest/gate/gate now /usr/bin/thing go");
    }

    @Test
    void where_the_filter_refuses_sockets_there_is_no_gate() {
        var spec =
                SandboxSpec.of(cell(OptionalInt.of(1), Optional.empty(), UnixSockets.PAIRS_ONLY));
        assertThat(String.join(" ", spec.command())).endsWith("--seccomp 9 -- /usr/bin/thing go");
        assertThat(spec.gateWaits()).isFalse();
        assertThat(spec.later()).hasSize(6);
    }

    @Test
    void the_same_description_gives_the_same_words() {
        var cell = cell(OptionalInt.of(1), Optional.empty());
        assertThat(SandboxSpec.of(cell)).isEqualTo(SandboxSpec.of(cell));
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
}
