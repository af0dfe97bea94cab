package dev.caisson.acceptance.bench.warm;

import dev.caisson.acceptance.product.LiveFiles;
import dev.caisson.acceptance.product.Product;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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
        state.put("mounts", "" + mounts());
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

    private long groups() {
        return LiveFiles.find(
                        Path.of("/sys/fs/cgroup"), 4, "-type", "d", "-name", "*" + token() + "*")
                .stream()
                .map(group -> group.getFileName().toString())
                .filter(name -> name.contains(".run-"))
                .distinct()
                .count();
    }

    /// How names of what the server made begin.
    private String token() {
        return "p%dt".formatted(product.pid());
    }

    /// Texts of programs that are over.
    private long programs() {
        return LiveFiles.find(SANDBOXES, 6, "-type", "f", "-path", "*/" + token() + "*").stream()
                .filter(file -> file.toString().contains("/job/"))
                .count();
    }

    /// Mounts of the server's own files and sandboxes: others may mount what they like meanwhile.
    private long mounts() {
        return lines(proc(product.pid()).resolve("mountinfo")).stream()
                .filter(line -> line.contains(token()) || line.contains(data()))
                .count();
    }

    /// Loop devices with a file of the server's behind them.
    private long loops() throws IOException {
        try (var devices = Files.list(Path.of("/sys/block"))) {
            return devices.flatMap(device -> lines(device.resolve("loop/backing_file")).stream())
                    .filter(file -> file.startsWith(data()))
                    .count();
        }
    }

    private String data() {
        return product.data().toAbsolutePath().toString();
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
