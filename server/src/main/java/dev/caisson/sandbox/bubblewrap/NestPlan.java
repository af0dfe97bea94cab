package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.UnixSockets;
import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.Limits;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Plan of a nest and of the sandboxes it makes: the confinement of [SandboxSpec], in the rows that
/// `guests/nest/nest.c` carries out, see [NestRows]. What the nest does to every sandbox whatever
/// the plan says (its namespaces, users, capabilities, loopback, order of steps) is described
/// there.
///
/// Nothing here touches the machine.
///
/// @param root what the root is made of that all sandboxes of the nest have in common
/// @param shell what each sandbox mounts for itself
/// @param shown directories of the host by their places inside, attached from outside
public record NestPlan(List<String> root, List<String> shell, List<LateMount.Cover> shown) {
    /// What is shown over others in a sandbox, as it is found inside.
    private static final Path EMPTY = Path.of(SandboxSpec.VOLUMES);

    private static final Path PROCESS_ONE = Path.of("/run/guest/nest/proc1");

    public NestPlan {
        root = List.copyOf(root);
        shell = List.copyOf(shell);
        shown = List.copyOf(shown);
    }

    /// By these, libraries for linear algebra start no threads, which no fork would have.
    private static final List<String> ONE_THREAD =
            List.of("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS");

    /// What bubblewrap's word `--dev` makes.
    private static void devices(NestRows rows) {
        rows.mount("tmpfs", "mode=0755,size=64k", "/dev", NestRows.OF_MEMORY);
        SandboxSpec.DEVICES.forEach(
                name -> rows.show("/dev/" + name, "/dev/" + name, NestRows.OF_DEVICES));
        SandboxSpec.DEVICE_LINKS.forEach((name, target) -> rows.link(target, "/dev/" + name));
        rows.directory("/dev/shm");
        rows.directory(SandboxSpec.TERMINALS);
    }

    /// @param sandboxes at once, which divide what the kernel counts for the nest as a whole
    public static NestPlan of(Host host, Boot boot, int sandboxes) {
        return new NestPlan(root(host, boot), shell(host, sandboxes), SandboxSpec.shown(boot));
    }

    private static List<String> root(Host host, Boot boot) {
        var words = new SandboxSpec.Words();
        SandboxSpec.root(words, boot.root());
        boot.shown().forEach(each -> words.add("--dir", each.target()));
        var rows = NestRows.of(words);
        // Uncovered: the kernel allows no new one below one that is covered.
        rows.mount("proc", "", "/proc", NestRows.OF_PROCESSES);
        devices(rows);
        List.of(SandboxSpec.WORKSPACE, "/tmp", SandboxSpec.JOB).forEach(rows::directory);
        var places = new SandboxSpec.Words();
        SandboxSpec.places(places, host, boot);
        rows.addAll(NestRows.of(places));
        rows.makeReadOnly("/dev");
        // The root of the host is there while this one is made.
        return rows.below("/old").list();
    }

    private static List<String> shell(Host host, int sandboxes) {
        var rows = new NestRows();
        rows.set("user/max_user_namespaces", 0);
        host.userLimits()
                .forEach((name, most) -> rows.set("user/" + name, Math.max(1, most / sandboxes)));
        rows.mount("proc", "", "/proc", NestRows.OF_PROCESSES);
        rows.add(SandboxSpec.standIn(PROCESS_ONE));
        SandboxSpec.hidden(host, EMPTY).forEach(rows::add);
        rows.makeReadOnly("/proc");
        rows.add(SandboxSpec.terminals());
        return rows.list();
    }

    /// What one sandbox has for itself: mounts in memory, whose sizes are its limits, and a new
    /// network, in which nothing is remembered of connections that are over.
    ///
    /// @param network whether it is new
    public static List<String> own(Limits limits, boolean network) {
        var rows = new NestRows();
        if (network) {
            rows.set("net/ipv4/tcp_max_tw_buckets", 0);
            rows.set("net/ipv4/tcp_no_metrics_save", 1);
        }
        SandboxSpec.memory(limits).forEach(rows::add);
        return rows.list();
    }

    /// What is attached to one sandbox from outside before its program is there.
    ///
    /// @param slot its directory
    public static List<LateMount> later(Limits limits, Path slot) {
        var job = new LateMount.Cover(SandboxSpec.JOB, slot.resolve("job"));
        return Stream.concat(SandboxSpec.limitCovers(limits, slot), Stream.of(job))
                .map(each -> (LateMount) each)
                .toList();
    }

    public static List<ProcessLimit> processLimits(Limits limits) {
        return ProcessLimit.of(limits);
    }

    /// What an interpreter finds in its environment while it waits.
    ///
    /// @param zygote whether it forks others
    public static SortedMap<String, String> environment(Boot boot, Limits limits, boolean zygote) {
        var variables = new TreeMap<>(SandboxSpec.environment(boot, limits));
        if (zygote) {
            variables.put("CAISSON_ZYGOTE", "1");
            ONE_THREAD.forEach(name -> variables.put(name, "1"));
        }
        return variables;
    }

    /// Whether a program gives up sockets in places that others may share.
    public static boolean restricts(UnixSockets sockets) {
        return switch (sockets) {
            case PRIVATE_PLACES -> true;
            case PAIRS_ONLY -> false;
        };
    }
}
