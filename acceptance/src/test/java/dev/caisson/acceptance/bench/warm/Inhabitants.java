package dev.caisson.acceptance.bench.warm;

import dev.caisson.acceptance.product.LiveFiles;
import dev.caisson.acceptance.product.Product;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What a server has on this machine, read from outside: its nests and sandboxes, what they take,
/// and what runs could have left.
///
/// A sandbox of bubblewrap is a chain of processes below the server. A nest is one too, of the
/// process that waits for it and its first; below that are the interpreter that is forked, and the
/// first process of every sandbox, which has the program's.
record Inhabitants(Product product) {
    private static final Path SANDBOXES = Path.of("/run/caisson/sandboxes");
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");

    private static final String BUBBLEWRAP = "bwrap";
    private static final String NEST = "nest";

    /// How what is said of a nest begins.
    static final String NEST_OF = "nest of ";

    /// So many control groups a nest keeps for its next sandboxes.
    private static final int KEPT_BY_A_NEST = 8;

    /// Memory of things that wait.
    ///
    /// @param mib proportional memory of one of them, all of its processes together
    record Waiting(int count, double mib) {}

    /// By interpreter and maker: waiting sandboxes, and nests without them.
    Map<String, Waiting> waiting() throws IOException {
        Map<String, List<Long>> kib = new TreeMap<>();
        for (long child : ProcessTree.children(product.pid())) {
            if (isNest(child)) {
                addNest(kib, child);
            } else {
                add(kib, ", bubblewrap", ProcessTree.family(child));
            }
        }
        Map<String, Waiting> waiting = new LinkedHashMap<>();
        kib.forEach((what, all) -> {
            var mean = all.stream().mapToLong(Long::longValue).average().orElse(0) / 1024;
            waiting.put(what, new Waiting(all.size(), mean));
        });
        return waiting;
    }

    private static void addNest(Map<String, List<Long>> kib, long outer) throws IOException {
        var own = new ArrayList<>(List.of(outer));
        var interpreter = "";
        for (long first : ProcessTree.children(outer)) {
            own.add(first);
            for (long child : ProcessTree.children(first)) {
                if (isNest(child)) {
                    add(kib, ", nest", ProcessTree.family(child));
                    interpreter = interpreter(ProcessTree.family(child).getLast());
                } else {
                    own.add(child);
                    interpreter = interpreter(child);
                }
            }
        }
        kib.computeIfAbsent(NEST_OF + interpreter, _ -> new ArrayList<>()).add(kib(own));
    }

    private static void add(Map<String, List<Long>> kib, String maker, List<Long> family) {
        kib.computeIfAbsent(interpreter(family.getLast()) + maker, _ -> new ArrayList<>())
                .add(kib(family));
    }

    private static long kib(List<Long> processes) {
        return processes.stream().mapToLong(ProcessTree::pss).sum();
    }

    private static boolean isNest(long pid) {
        return ProcessTree.program(pid).equals(NEST);
    }

    private static String interpreter(long pid) {
        var words = ProcessTree.words(pid);
        return !words.isEmpty() && words.getLast().endsWith(".ts")
                ? "typescript"
                : ProcessTree.program(pid);
    }

    /// Everything runs could leave. What nests keep for their next sandboxes is not left, and nests
    /// come and go: what they may have is not counted.
    Map<String, Long> leftovers() throws IOException {
        long nests = 0;
        long strangers = 0;
        for (long child : ProcessTree.children(product.pid())) {
            var name = ProcessTree.name(child);
            nests += isNest(child) ? 1 : 0;
            strangers += name.equals(BUBBLEWRAP) || isNest(child) ? 0 : 1;
        }
        Map<String, Long> state = new LinkedHashMap<>();
        state.put("nests", nests);
        state.put("mounts", mounts());
        state.put("loops", loops());
        state.put("processes beside nests and sandboxes", strangers);
        state.put(
                "control groups without a process", Math.max(0, empty() - nests * KEPT_BY_A_NEST));
        state.put("programs", programs());
        return state;
    }

    /// Control groups of the server's sandboxes, of either version, in which nobody is.
    private long empty() {
        var all = new HashSet<String>();
        var inhabited = new HashSet<String>();
        for (var group : LiveFiles.find(GROUPS, 4, "-type", "d", "-name", "*" + token() + "*")) {
            var name = String.valueOf(group.getFileName());
            all.add(name);
            if (!ProcessTree.lines(group.resolve("cgroup.procs")).isEmpty()) {
                inhabited.add(name);
            }
        }
        all.removeAll(inhabited);
        return all.stream().filter(name -> name.contains(".run-")).count();
    }

    /// How names of what the server made begin.
    private String token() {
        return "p%dt".formatted(product.pid());
    }

    /// Texts of programs; those of sandboxes that wait are empty.
    private long programs() {
        return LiveFiles.find(
                        SANDBOXES,
                        6,
                        "-type",
                        "f",
                        "-size",
                        "+0",
                        "-path",
                        "*/" + token() + "*/job/*")
                .size();
    }

    /// Mounts of the server's own files and sandboxes: others may mount what they like meanwhile.
    private long mounts() {
        return ProcessTree.lines(ProcessTree.proc(product.pid()).resolve("mountinfo")).stream()
                .filter(line -> line.contains(token()) || line.contains(data()))
                .count();
    }

    /// Loop devices with a file of the server's behind them.
    private long loops() throws IOException {
        try (var devices = Files.list(Path.of("/sys/block"))) {
            return devices.flatMap(device ->
                            ProcessTree.lines(device.resolve("loop/backing_file")).stream())
                    .filter(file -> file.startsWith(data()))
                    .count();
        }
    }

    private String data() {
        return product.data().toAbsolutePath().toString();
    }
}
