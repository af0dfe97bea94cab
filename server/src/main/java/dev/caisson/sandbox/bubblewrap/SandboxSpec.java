package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.CgroupLimits;
import dev.caisson.linux.MountFlag;
import dev.caisson.linux.OomScore;
import dev.caisson.linux.UnixSockets;
import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.ProgramEnvironment;
import dev.caisson.sandbox.Root;
import dev.caisson.sandbox.Workspace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Confinement policy of a sandbox, as pure functions from a [Confinement] to the words bubblewrap
/// and its wrapper are started with, from a [Workspace] to what is mounted for one run, and from
/// [Limits] to those of the control group. To review what is promised, read this file, and as the
/// second `linux/seccomp/SyscallPolicy`, which lists the system calls of the filter. To test it,
/// compare documents: nothing here touches the machine.
///
/// A sandbox of a nest has the same: [NestPlan] makes its rows from what this file lists, what is
/// shown and covered, what can be written and how much of it, the devices, the limits. What it adds
/// is how a nest is made; `SameWallsTest` compares what programs find in both.
///
/// A program in a sandbox
///
/// - is in user, mount, process, network, ipc, host name and control group namespaces of its own,
///   cannot make further ones, has no terminal, and dies with the server;
/// - runs as a host user that no other live sandbox has, dropped to before bubblewrap starts;
/// - sees a read-only root: the host's `/usr` with a generated `/etc`, or an image; `/proc` is
///   read-only, what tells about the host is covered (by us where we can, since bubblewrap takes
///   ten times as long), and process 1 is a stand-in, because the real one has the program's user
///   and could be opened by it;
/// - sees packages it was given at `/opt/env/<name>`, read-only;
/// - writes to `/workspace`, `/tmp`, `/dev/shm` and volumes it was given to write, each a file
///   system of its own, limited in bytes and in files, where set-id bits and device nodes have no
///   effect;
/// - has a few pseudo-terminals of its own, or none where only root could limit their number;
/// - has no capability in any set, can gain none, and makes only the system calls of the filter;
/// - makes UNIX sockets in `/tmp` and `/dev/shm` alone, or none but pairs, so that no descriptor
///   gets from one sandbox to another through a file system both have;
/// - has an empty network: loopback and nothing else;
/// - is held by its control group (memory, processes, processor) and by limits per process, and
///   ended first when the machine has no memory left.
///
/// The wrapper joins the control group first and does not go on if it cannot. Descriptors 5, 6 and
/// 7 reach the guest (its output, its errors, the way to the server) and 9 is the filter, which
/// bubblewrap consumes; what bubblewrap itself says goes to a file of the slot.
///
/// The gate, where there is one, is the first program inside. It waits until everything that does
/// not depend on the run is attached, so that an image's own interpreter never sees what is
/// covered, restricts itself and becomes the interpreter.
///
/// @param command for the wrapper, without any word that came from a caller
/// @param later what is attached before the job is handed over, the same for every run
/// @param gateWaits whether the gate asks for the mounts before the interpreter starts; otherwise
///   they are attached once that waits for its job
public record SandboxSpec(List<String> command, List<LateMount> later, boolean gateWaits) {
    /// Size of `/dev/shm`, in bytes and in files.
    static final long SHARED_MEMORY_BYTES = 64L << 20;

    static final long SHARED_MEMORY_FILES = 1_024;

    /// `/tmp` holds one file for so many bytes of its size.
    static final long BYTES_PER_TMP_FILE = 4_096;

    /// Set-id bits and device nodes have no effect in anything that is attached late.
    static final Set<MountFlag> WRITABLE = Set.of(MountFlag.NO_SUID, MountFlag.NO_DEV);

    static final Set<MountFlag> READ_ONLY =
            Set.of(MountFlag.NO_SUID, MountFlag.NO_DEV, MountFlag.READ_ONLY);

    /// Of every [LateMount.Cover].
    static final Set<MountFlag> COVER_FLAGS = READ_ONLY;

    private static final String OWN_MODULES = "/workspace/node_modules";

    /// The program's text, and files beside it.
    static final String JOB = "/run/job";

    static final String TERMINALS = "/dev/pts";

    /// What bubblewrap's word `--dev` makes, which others do by this list: devices of the host that
    /// tell nothing about it, and links.
    static final List<String> DEVICES = List.of("null", "zero", "full", "random", "urandom", "tty");

    static final SortedMap<String, String> DEVICE_LINKS =
            new TreeMap<>(
                    Map.of(
                            "fd", "/proc/self/fd",
                            "stdin", "/proc/self/fd/0",
                            "stdout", "/proc/self/fd/1",
                            "stderr", "/proc/self/fd/2",
                            "core", "/proc/kcore",
                            "ptmx", "pts/ptmx"));

    static final String WORKSPACE = "/workspace";

    /// Where volumes are attached; empty without them.
    static final String VOLUMES = "/volumes";

    /// Says inside that there is no network, to the stubs of `guests/bin`.
    static final String OFFLINE = "/run/offline";

    private static final String WRAPPER =
            """
            slot=$1; filter=$2; shift 2
            echo %d 2>/dev/null >/proc/self/oom_score_adj
            while [ "$1" != -- ]; do echo 0 > "$1" || exit 125; shift; done
            shift
            exec 5>&1 6>&2 7>"$slot/control" 9<"$filter" 1>"$slot/boot.log" 2>&1 || exit 125
            exec "$@"
            """
                    .formatted(OomScore.SANDBOX);

    /// Mounts a plain user's `/tmp` and `/dev/shm` in namespaces around those of bubblewrap, in
    /// which that user is root, and leaves that root behind before bubblewrap starts.
    private static final String MOUNTS =
            """
            mkdir -p "$1/tmp" "$1/shm" &&
            mount -t tmpfs -o "$2" tmpfs "$1/tmp" &&
            mount -t tmpfs -o "$3" tmpfs "$1/shm" || exit 125
            shift 3
            exec "$@"
            """;

    public SandboxSpec {
        command = List.copyOf(command);
        later = List.copyOf(later);
    }

    static SandboxSpec of(Confinement confinement) {
        var words = new Words();
        joinGroups(words, confinement);
        limitProcesses(words, confinement);
        mountAsPlainUser(words, confinement);
        dropPrivileges(words, confinement);
        words.add(confinement.host().programs().bubblewrap());
        isolate(words);
        environment(words, confinement);
        root(words, confinement.boot().root());
        shown(words, confinement);
        proc(words, confinement);
        writable(words, confinement);
        own(words, confinement);
        words.add("--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/");
        words.add("--chdir", "/");
        if (confinement.filtered()) {
            words.add("--seccomp", "9");
        }
        boolean mountsLater = confinement.workspace().isEmpty();
        words.add("--").addAll(SocketGate.before(confinement.sockets(), mountsLater));
        words.addAll(confinement.boot().command());
        boolean gateWaits = mountsLater && confinement.sockets() == UnixSockets.PRIVATE_PLACES;
        return new SandboxSpec(words.list(), later(confinement), gateWaits);
    }

    private static void joinGroups(Words words, Confinement confinement) {
        words.add(confinement.host().programs().shell());
        words.add("-c", WRAPPER, "sandbox", confinement.slot().toString());
        words.add(confinement.host().runtime().resolve("filter"));
        confinement.groups().forEach(words::add);
        words.add("--");
    }

    private static void limitProcesses(Words words, Confinement confinement) {
        var limits = confinement.limits();
        words.add(confinement.host().programs().prlimit());
        ProcessLimit.of(limits).forEach(limit -> words.add(limit.word()));
    }

    private static void mountAsPlainUser(Words words, Confinement confinement) {
        var unshare = confinement.host().unshare();
        if (unshare.isEmpty() || confinement.workspace().isEmpty()) {
            return;
        }
        long tmp = confinement.limits().tmpBytes();
        words.add(unshare.get());
        words.add("--user", "--map-root-user", "--mount");
        words.add(confinement.host().programs().shell());
        words.add("-c", MOUNTS, "mounts", confinement.slot().toString());
        words.add(tmpfs(tmp, tmpFiles(tmp)), tmpfs(SHARED_MEMORY_BYTES, SHARED_MEMORY_FILES));
        words.add(unshare.get());
        words.add("--user", "--map-user=" + Workspace.OWNER, "--map-group=" + Workspace.OWNER);
        // What drops privileges next needs one to do so; it leaves none.
        words.add("--keep-caps");
    }

    static String tmpfs(long bytes, long files) {
        return "nosuid,nodev,mode=1777,size=%d,nr_inodes=%d".formatted(bytes, files);
    }

    static long tmpFiles(long bytes) {
        return Math.max(16, bytes / BYTES_PER_TMP_FILE);
    }

    private static void dropPrivileges(Words words, Confinement confinement) {
        words.add(confinement.host().programs().setpriv());
        if (confinement.user().isPresent()) {
            int user = confinement.user().getAsInt();
            words.add("--reuid=" + user, "--regid=" + user, "--clear-groups");
            words.add("--bounding-set=-all");
        } else if (confinement.host().unshare().isPresent()) {
            words.add("--bounding-set=-all");
        }
        words.add("--no-new-privs", "--inh-caps=-all", "--ambient-caps=-all");
    }

    private static void isolate(Words words) {
        words.add("--unshare-all", "--unshare-user", "--disable-userns");
        words.add(
                "--uid",
                "" + Workspace.OWNER,
                "--gid",
                "" + Workspace.OWNER,
                "--hostname",
                "sandbox");
        words.add("--new-session", "--die-with-parent");
    }

    private static void environment(Words words, Confinement confinement) {
        words.add("--clearenv");
        environment(confinement.boot(), confinement.limits())
                .forEach((name, value) -> words.add("--setenv", name, value));
    }

    /// What a guest finds while it waits.
    static SortedMap<String, String> environment(Boot boot, Limits limits) {
        var variables = new TreeMap<>(boot.environment());
        variables.put("NODE_OPTIONS", limits.nodeOptions());
        variables.put("PATH", ProgramEnvironment.PATH);
        variables.put("LANG", ProgramEnvironment.LANG);
        variables.put("HOME", "/workspace");
        return variables;
    }

    static void root(Words words, Root root) {
        for (var entry : root.entries()) {
            switch (entry) {
                case Root.Entry.Shown(var name, var source) -> words.show(source, "/" + name);
                case Root.Entry.Link(var name, var target) ->
                        words.add("--symlink", target, "/" + name);
            }
        }
    }

    /// Packages and the like: a place for each where it is attached later, because the user of the
    /// sandbox cannot reach them on the host.
    private static void shown(Words words, Confinement confinement) {
        for (var each : confinement.boot().shown()) {
            if (confinement.workspace().isPresent()) {
                words.show(each.source(), each.target());
            } else {
                words.add("--dir", each.target());
            }
        }
    }

    private static void proc(Words words, Confinement confinement) {
        words.add("--proc", "/proc");
        var first = standIn(confinement.host().runtime().resolve("proc1"));
        words.show(first.source(), first.target());
        if (confinement.workspace().isPresent()) {
            covers(confinement).forEach(cover -> words.show(cover.source(), cover.target()));
        }
    }

    /// What tells about the host is hidden; what tells how large it is tells the run's limits.
    private static List<LateMount.Cover> covers(Confinement confinement) {
        var host = confinement.host();
        var limits = limitCovers(confinement.limits(), confinement.slot());
        return Stream.concat(limits, hidden(host, host.runtime().resolve("empty"))).toList();
    }

    /// @param empty a directory that is, as who mounts it finds it
    static Stream<LateMount.Cover> hidden(Host host, Path empty) {
        var files =
                host.hiddenFiles().stream()
                        .map(name -> new LateMount.Cover("/proc/" + name, Path.of("/dev/null")));
        var directories =
                host.hiddenDirectories().stream()
                        .map(name -> new LateMount.Cover("/proc/" + name, empty));
        return Stream.concat(files, directories);
    }

    /// @param source a directory that looks like a process and is none
    static LateMount.Cover standIn(Path source) {
        return new LateMount.Cover("/proc/1", source);
    }

    static Stream<LateMount.Cover> limitCovers(Limits limits, Path slot) {
        return LimitFiles.of(limits).keySet().stream()
                .sorted()
                .map(name ->
                        new LateMount.Cover("/proc/" + name, slot.resolve("limits").resolve(name)));
    }

    private static void writable(Words words, Confinement confinement) {
        words.add("--dev", "/dev");
        if (confinement.workspace().isPresent()) {
            words.add("--bind", confinement.workspace().get().toString(), "/workspace");
            boundedOrTmpfs(words, confinement);
            words.show(confinement.host().runtime().resolve("empty"), TERMINALS);
        } else {
            words.add("--dir", "/workspace", "--dir", "/tmp");
        }
    }

    /// Without mounts of its own a plain user can limit bytes, not files.
    private static void boundedOrTmpfs(Words words, Confinement confinement) {
        if (confinement.host().unshare().isPresent()) {
            words.add("--bind", confinement.slot().resolve("tmp").toString(), "/tmp");
            words.add("--bind", confinement.slot().resolve("shm").toString(), "/dev/shm");
        } else {
            words.add("--size", "" + confinement.limits().tmpBytes(), "--tmpfs", "/tmp");
            words.add("--size", "" + SHARED_MEMORY_BYTES, "--tmpfs", "/dev/shm");
        }
    }

    /// The places programs expect, and the two directories through which a guest is served.
    private static void own(Words words, Confinement confinement) {
        places(words, confinement.host(), confinement.boot());
        words.show(confinement.slot().resolve("job"), JOB);
    }

    static void places(Words words, Host host, Boot boot) {
        words.add("--symlink", "/workspace", "/data");
        // Requirement B-23: where clients written for another service keep their files.
        words.add("--dir", "/home", "--symlink", "/workspace", "/home/baponi");
        words.add("--dir", "/var", "--symlink", "/tmp", "/var/tmp");
        var packages = boot.nodeModules();
        if (packages.isPresent()) {
            // The workspace's own are found first, from the program and from its files.
            words.add("--dir", "/run", "--symlink", OWN_MODULES, "/run/node_modules");
        }
        words.add("--symlink", packages.orElse(OWN_MODULES), "/node_modules");
        words.add("--dir", VOLUMES);
        words.add("--dir", OFFLINE);
        words.show(host.runtime().resolve("guest"), "/run/guest");
    }

    private static List<LateMount> later(Confinement confinement) {
        if (confinement.workspace().isPresent()) {
            return List.of();
        }
        var all = new ArrayList<LateMount>(covers(confinement));
        all.addAll(shown(confinement.boot()));
        all.addAll(memory(confinement.limits()));
        all.add(terminals());
        return all;
    }

    static List<LateMount.Cover> shown(Boot boot) {
        return boot.shown().stream()
                .map(each -> new LateMount.Cover(each.target(), each.source()))
                .toList();
    }

    /// What can be written beside the workspace.
    static List<LateMount.Tmpfs> memory(Limits limits) {
        long tmp = limits.tmpBytes();
        return List.of(
                new LateMount.Tmpfs("/tmp", tmp, tmpFiles(tmp), WRITABLE),
                new LateMount.Tmpfs(
                        "/dev/shm", SHARED_MEMORY_BYTES, SHARED_MEMORY_FILES, WRITABLE));
    }

    static LateMount.Terminals terminals() {
        return new LateMount.Terminals(TERMINALS, Limits.TERMINALS_MAX);
    }

    /// What is mounted for one run, in this order: its workspace, and each volume it was given at
    /// `/volumes/<name>`, which can be written only if it was given so. Where nothing can be
    /// mounted later, the workspace is bound at the start and there are no volumes.
    static List<RunMount> forRun(Workspace workspace) {
        return switch (workspace) {
            case Workspace.WithVolumes(var own, var volumes) -> {
                var all = new ArrayList<RunMount>();
                all.add(new RunMount.Storage(WORKSPACE, own, WRITABLE));
                var names = volumes.stream().map(Workspace.Volume::name).toList();
                all.add(new RunMount.Directories(VOLUMES, names, READ_ONLY));
                for (var volume : volumes) {
                    var flags = volume.writable() ? WRITABLE : READ_ONLY;
                    var target = VOLUMES + "/" + volume.name();
                    all.add(new RunMount.Storage(target, volume.storage(), flags));
                }
                yield all;
            }
            case Workspace.Image _,
                    Workspace.Directory _,
                    Workspace.Part _,
                    Workspace.OpenedLater _ ->
                    List.of(new RunMount.Storage(WORKSPACE, workspace, WRITABLE));
        };
    }

    /// What everything in a sandbox may use together, held by its control group.
    public static CgroupLimits groupLimits(Limits limits) {
        return new CgroupLimits(limits.memoryBytes(), limits.cpus(), limits.processes());
    }

    /// The argument vector under construction.
    static final class Words {
        private final List<String> words = new ArrayList<>();

        Words add(String... more) {
            words.addAll(Arrays.asList(more));
            return this;
        }

        void add(Path path) {
            words.add(path.toString());
        }

        void addAll(List<String> more) {
            words.addAll(more);
        }

        void show(Path source, String target) {
            add("--ro-bind", source.toString(), target);
        }

        List<String> list() {
            return words;
        }
    }
}
