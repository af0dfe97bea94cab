package dev.caisson.acceptance.bench.warm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Processes as `/proc` tells of them. One that is gone has no children, no words and no memory.
final class ProcessTree {
    private ProcessTree() {}

    static List<Long> children(long pid) throws IOException {
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

    /// A process, its only child, and so on.
    static List<Long> family(long first) throws IOException {
        var family = new ArrayList<>(List.of(first));
        for (var next = children(first); next.size() == 1; next = children(next.getFirst())) {
            family.add(next.getFirst());
        }
        return family;
    }

    static List<String> words(long pid) {
        return lines(proc(pid).resolve("cmdline")).stream()
                .flatMap(line -> Stream.of(line.split("\0", -1)))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /// The program that it executes, without its directory; empty when it is gone.
    static String program(long pid) {
        return words(pid).stream()
                .findFirst()
                .map(word -> String.valueOf(Path.of(word).getFileName()))
                .orElse("");
    }

    static String name(long pid) {
        return String.join("", lines(proc(pid).resolve("comm")));
    }

    /// Its proportional share of memory, in KiB.
    static long pss(long pid) {
        return lines(proc(pid).resolve("smaps_rollup")).stream()
                .filter(line -> line.startsWith("Pss:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
    }

    /// A process may go while it is looked at.
    static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException gone) {
            return List.of();
        }
    }

    static Path proc(long pid) {
        return Path.of("/proc", Long.toString(pid));
    }
}
