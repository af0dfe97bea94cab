package dev.caisson.sandbox;

import dev.caisson.linux.OomScore;
import dev.caisson.linux.UnixSockets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The whole confinement policy as one pure function from a [Cell] to the words bubblewrap and its
/// wrapper are started with. To review what is promised, read this file; to test it, compare
/// documents: nothing here touches the machine.
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
/// @param later what is attached before the job is handed over
/// @param gateWaits whether the gate asks for the mounts before the interpreter starts; otherwise
///   they are attached once that waits for its job
record SandboxSpec(List<String> command, List<LateMount> later, boolean gateWaits) {
    /// Where in the file system a sandbox may write, beside its workspace.
    static final long SHARED_MEMORY_BYTES = 64L << 20;

    static final long SHARED_MEMORY_FILES = 1_024;
    static final long BYTES_PER_TMP_FILE = 4_096;

    /// How many pseudo-terminals a sandbox has at once. The kernel has 3,072 for all of them unless
    /// it is told otherwise.
    static final int TERMINALS_MAX = 16;

    private static final String TERMINALS = "/dev/pts";

    /// The user and group a program believes to be.
    static final int USER_INSIDE = 1_000;

    /// Where volumes are attached; empty without them.
    static final String VOLUMES = "/volumes";

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

    SandboxSpec {
        command = List.copyOf(command);
        later = List.copyOf(later);
    }

    static SandboxSpec of(Cell cell) {
        var words = new Words();
        joinGroups(words, cell);
        limitProcesses(words, cell);
        dropPrivileges(words, cell);
        words.add(cell.host().programs().bubblewrap());
        isolate(words);
        environment(words, cell);
        root(words, cell.boot().root());
        proc(words, cell);
        writable(words, cell);
        own(words, cell);
        words.add("--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/");
        words.add("--chdir", "/");
        if (cell.filtered()) {
            words.add("--seccomp", "9");
        }
        boolean mountsLater = cell.workspace().isEmpty();
        words.add("--").addAll(SocketGate.before(cell.sockets(), mountsLater));
        words.addAll(cell.boot().command());
        boolean gateWaits = mountsLater && cell.sockets() == UnixSockets.PRIVATE_PLACES;
        return new SandboxSpec(words.list(), later(cell), gateWaits);
    }

    private static void joinGroups(Words words, Cell cell) {
        words.add(cell.host().programs().shell());
        words.add("-c", WRAPPER, "sandbox", cell.slot().toString());
        words.add(cell.host().runtime().resolve("filter"));
        cell.groups().forEach(words::add);
        words.add("--");
    }

    private static void limitProcesses(Words words, Cell cell) {
        var limits = cell.limits();
        words.add(cell.host().programs().prlimit());
        words.add("--core=0:0");
        words.add("--nofile=%1$d:%1$d".formatted(limits.openFiles()));
        words.add("--fsize=%1$d:%1$d".formatted(limits.fileBytes()));
        words.add("--stack=8388608:67108864");
        words.add("--memlock=65536:65536", "--msgqueue=819200:819200");
        words.add("--rtprio=0:0", "--nice=0:0", "--sigpending=1024:1024");
    }

    private static void dropPrivileges(Words words, Cell cell) {
        words.add(cell.host().programs().setpriv());
        if (cell.user().isPresent()) {
            int user = cell.user().getAsInt();
            words.add("--reuid=" + user, "--regid=" + user, "--clear-groups");
            words.add("--bounding-set=-all");
        }
        words.add("--no-new-privs", "--inh-caps=-all", "--ambient-caps=-all");
    }

    private static void isolate(Words words) {
        words.add("--unshare-all", "--unshare-user", "--disable-userns");
        words.add("--uid", "" + USER_INSIDE, "--gid", "" + USER_INSIDE, "--hostname", "sandbox");
        words.add("--new-session", "--die-with-parent");
    }

    /// Node cannot see the memory limit: it is told how large its heap may become, so that it
    /// collects before the kernel kills.
    private static void environment(Words words, Cell cell) {
        words.add("--clearenv");
        var variables = new TreeMap<>(cell.boot().environment());
        long heap = Math.max(1, cell.limits().memoryBytes() >> 20);
        variables.put("NODE_OPTIONS", "--max-old-space-size=" + heap);
        variables.put("PATH", Environment.PATH);
        variables.put("LANG", Environment.LANG);
        variables.put("HOME", "/workspace");
        variables.forEach((name, value) -> words.add("--setenv", name, value));
    }

    private static void root(Words words, Root root) {
        for (var entry : root.entries()) {
            switch (entry) {
                case Root.Entry.Shown(var name, var source) -> words.show(source, "/" + name);
                case Root.Entry.Link(var name, var target) ->
                        words.add("--symlink", target, "/" + name);
            }
        }
    }

    private static void proc(Words words, Cell cell) {
        words.add("--proc", "/proc");
        words.show(cell.host().runtime().resolve("proc1"), "/proc/1");
        if (cell.workspace().isPresent()) {
            covers(cell.host()).forEach(cover -> words.show(cover.source(), cover.target()));
        }
    }

    private static List<LateMount.Cover> covers(Host host) {
        var files =
                host.hiddenFiles().stream()
                        .map(name -> new LateMount.Cover("/proc/" + name, Path.of("/dev/null")));
        var empty = host.runtime().resolve("empty");
        var directories =
                host.hiddenDirectories().stream()
                        .map(name -> new LateMount.Cover("/proc/" + name, empty));
        return Stream.concat(files, directories).toList();
    }

    private static void writable(Words words, Cell cell) {
        words.add("--dev", "/dev");
        if (cell.workspace().isPresent()) {
            words.add("--bind", cell.workspace().get().toString(), "/workspace");
            words.add("--size", "" + cell.limits().tmpBytes(), "--tmpfs", "/tmp");
            words.add("--size", "" + SHARED_MEMORY_BYTES, "--tmpfs", "/dev/shm");
            words.show(cell.host().runtime().resolve("empty"), TERMINALS);
        } else {
            words.add("--dir", "/workspace", "--dir", "/tmp");
        }
    }

    /// The places programs expect, and the two directories through which a guest is served.
    private static void own(Words words, Cell cell) {
        words.add("--symlink", "/workspace", "/data");
        words.add("--dir", "/home", "--symlink", "/workspace", "/home/baponi");
        words.add("--dir", "/var", "--symlink", "/tmp", "/var/tmp");
        words.add("--symlink", "/workspace/node_modules", "/node_modules");
        words.add("--dir", VOLUMES);
        words.show(cell.host().runtime().resolve("guest"), "/run/guest");
        words.show(cell.slot().resolve("job"), "/run/job");
    }

    private static List<LateMount> later(Cell cell) {
        if (cell.workspace().isPresent()) {
            return List.of();
        }
        long tmp = cell.limits().tmpBytes();
        var all = new ArrayList<LateMount>(covers(cell.host()));
        all.add(new LateMount.Tmpfs("/tmp", tmp, Math.max(16, tmp / BYTES_PER_TMP_FILE)));
        all.add(new LateMount.Tmpfs("/dev/shm", SHARED_MEMORY_BYTES, SHARED_MEMORY_FILES));
        all.add(new LateMount.Terminals(TERMINALS, TERMINALS_MAX));
        all.add(new LateMount.RunWorkspace("/workspace"));
        return all;
    }

    /// The argument vector under construction.
    private static final class Words {
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
