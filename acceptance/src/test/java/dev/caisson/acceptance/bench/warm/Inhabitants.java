package dev.caisson.acceptance.bench.warm;

import dev.caisson.acceptance.product.Product;
import dev.caisson.linux.LiveTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What a server has on this machine, read from outside: its sandboxes, what they take, and what
/// runs could have left.
record Inhabitants(Product product) {
    private static final Path SANDBOXES = Path.of("/run/caisson/sandboxes");

    /// By interpreter, the proportional memory in MiB of one waiting sandbox, all of its processes
    /// together.
    Map<String, Double> waitingMib() throws IOException {
        Map<String, List<Long>> kib = new TreeMap<>();
        for (long sandbox : children(product.pid())) {
            var family = family(sandbox);
            var command = command(family.getLast());
            long sum = 0;
            for (long process : family) {
                sum += pss(process);
            }
            kib.computeIfAbsent(command, _ -> new ArrayList<>()).add(sum);
        }
        Map<String, Double> mib = new LinkedHashMap<>();
        kib.forEach((command, all) ->
                mib.put(
                        command,
                        all.stream().mapToLong(Long::longValue).average().orElse(0) / 1024));
        return mib;
    }

    /// Everything runs could leave, as text that can be compared; sandboxes that wait are counted.
    Map<String, String> leftovers() throws IOException {
        Map<String, String> state = new LinkedHashMap<>();
        state.put("mounts", "" + lines(proc(product.pid()).resolve("mountinfo")).size());
        state.put("loops", "" + loops());
        state.put("processes beside sandboxes", "" + strangers());
        state.put("control groups beyond sandboxes", "" + (groups() - sandboxes()));
        state.put("programs", "" + programs());
        return state;
    }

    private long sandboxes() throws IOException {
        return children(product.pid()).size();
    }

    /// Children that are no sandbox, zombies among them.
    private long strangers() throws IOException {
        long count = 0;
        for (long child : children(product.pid())) {
            count += name(child).equals("bwrap") ? 0 : 1;
        }
        return count;
    }

    private long groups() throws IOException {
        return LiveTree.find(Path.of("/sys/fs/cgroup"), 4, this::isRunGroup).stream()
                .map(Path::getFileName)
                .distinct()
                .count();
    }

    private boolean isRunGroup(Path path, BasicFileAttributes attributes) {
        var name = String.valueOf(path.getFileName());
        return attributes.isDirectory() && name.contains(token()) && name.contains(".run-");
    }

    /// How names of what the server made begin.
    private String token() {
        return "p%dt".formatted(product.pid());
    }

    /// Texts of programs that are over.
    private long programs() throws IOException {
        return LiveTree.find(SANDBOXES, 6, this::isProgram).size();
    }

    private boolean isProgram(Path path, BasicFileAttributes attributes) {
        return attributes.isRegularFile()
                && path.toString().contains("/" + token())
                && path.toString().contains("/job/");
    }

    private static long loops() throws IOException {
        try (var devices = Files.list(Path.of("/sys/block"))) {
            return devices.filter(device -> Files.exists(device.resolve("loop/backing_file")))
                    .count();
        }
    }

    /// A process, its only child, and so on.
    private static List<Long> family(long first) throws IOException {
        var family = new ArrayList<>(List.of(first));
        for (var next = children(first); next.size() == 1; next = children(next.getFirst())) {
            family.add(next.getFirst());
        }
        return family;
    }

    private static List<Long> children(long pid) throws IOException {
        var all = new ArrayList<Long>();
        try (var threads = Files.list(proc(pid).resolve("task"))) {
            for (var thread : threads.toList()) {
                for (var child : lines(thread.resolve("children"))) {
                    Stream.of(child.strip().split(" ", -1))
                            .filter(word -> !word.isEmpty())
                            .map(Long::valueOf)
                            .forEach(all::add);
                }
            }
        } catch (NoSuchFileException gone) {
            return List.of();
        }
        return all;
    }

    private static String command(long pid) {
        var words =
                lines(proc(pid).resolve("cmdline")).stream()
                        .flatMap(line -> Stream.of(line.split("\0", -1)))
                        .filter(word -> !word.isEmpty())
                        .toList();
        var program = Path.of(words.getFirst()).getFileName();
        return words.getLast().endsWith(".ts") ? "typescript" : String.valueOf(program);
    }

    private static String name(long pid) {
        return String.join("", lines(proc(pid).resolve("comm")));
    }

    private static long pss(long pid) {
        return lines(proc(pid).resolve("smaps_rollup")).stream()
                .filter(line -> line.startsWith("Pss:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
    }

    /// A process may go while it is looked at.
    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException gone) {
            return List.of();
        }
    }

    private static Path proc(long pid) {
        return Path.of("/proc", Long.toString(pid));
    }
}
