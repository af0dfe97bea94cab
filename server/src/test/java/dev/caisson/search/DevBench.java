package dev.caisson.search;

import dev.caisson.json.Json;
import dev.caisson.linux.UntrustedDirectory;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipFile;

/// `bench dev [--json]`: search in the sources of the JDK beside ripgrep, for each class of
/// pattern. Interleaved rounds in one run; the best round of each counts, because the others only
/// say what else the machine was doing. Without ripgrep (`rg` on the path, or the program in
/// `CAISSON_RIPGREP`) only our own times are told.
public final class DevBench {
    private static final int ROUNDS = 7;
    private static final double GOAL = 0.5;
    private static final int STRANDS = Math.min(4, Runtime.getRuntime().availableProcessors());

    private static final Map<String, List<String>> PATTERNS = new LinkedHashMap<>();

    static {
        PATTERNS.put("literal", List.of("ConcurrentHashMap"));
        PATTERNS.put("absent literal", List.of("xyzzyPlugh42"));
        PATTERNS.put("literal, any case", List.of("-i", "concurrenthashmap"));
        PATTERNS.put("alternatives", List.of("ReentrantLock|StampedLock|CountDownLatch"));
        PATTERNS.put("expression with a literal", List.of("new\\s+ArrayList<\\w+>\\(\\d+\\)"));
        PATTERNS.put("expression without one", List.of("[A-Z]{4,}_[A-Z]{9,}\\d"));
        PATTERNS.put("word", List.of("\\bvolatile\\b"));
        PATTERNS.put("many lines", List.of("return"));
        PATTERNS.put("start of a line", List.of("^import .*Set;$"));
    }

    private record Row(double ours, Optional<Double> ripgrep, long lines, Optional<Long> theirs) {
        Optional<Double> ratio() {
            return ripgrep.map(other -> other / ours);
        }
    }

    private DevBench() {}

    static void main(String[] arguments) throws Exception {
        var directory = Files.createTempDirectory("dev-bench");
        var rows = new LinkedHashMap<String, Row>();
        try {
            var sources = sources(directory);
            var ripgrep = ripgrep();
            for (var pattern : PATTERNS.entrySet()) {
                rows.put(pattern.getKey(), measure(sources, pattern.getValue(), ripgrep));
            }
        } finally {
            erase(directory);
        }
        boolean json = Arrays.asList(arguments).contains("--json");
        System.out.print(json ? Json.pretty(Json.tree(rows)) + "\n" : table(rows));
    }

    private static Path sources(Path directory) throws IOException {
        var zip = Path.of(System.getProperty("java.home"), "lib", "src.zip");
        if (!Files.exists(zip)) {
            return Path.of(System.getProperty("caisson.repository", ".."));
        }
        try (var all = new ZipFile(zip.toFile())) {
            for (var entry : Collections.list(all.entries())) {
                var file = directory.resolve(entry.getName());
                if (!entry.isDirectory()) {
                    Files.createDirectories(file.getParent());
                    try (var content = all.getInputStream(entry)) {
                        Files.copy(content, file);
                    }
                }
            }
        }
        return directory;
    }

    private static Optional<String> ripgrep() {
        var named = Optional.ofNullable(System.getenv("CAISSON_RIPGREP"));
        return named.or(() ->
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .map(each -> Path.of(each, "rg"))
                        .filter(Files::isExecutable)
                        .map(Path::toString)
                        .findFirst());
    }

    private static Row measure(Path sources, List<String> pattern, Optional<String> ripgrep)
            throws Exception {
        double ours = Double.MAX_VALUE;
        double other = Double.MAX_VALUE;
        long lines = 0;
        long theirs = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long begun = System.nanoTime();
            lines = search(sources, pattern);
            ours = Math.min(ours, (System.nanoTime() - begun) / 1e9);
            if (ripgrep.isPresent()) {
                begun = System.nanoTime();
                theirs = ripgrep(ripgrep.get(), sources, pattern);
                other = Math.min(other, (System.nanoTime() - begun) / 1e9);
            }
        }
        return new Row(
                ours,
                ripgrep.isPresent() ? Optional.of(other) : Optional.empty(),
                lines,
                ripgrep.isPresent() ? Optional.of(theirs) : Optional.empty());
    }

    private static long search(Path sources, List<String> pattern) throws Exception {
        var expression =
                Expression.of("pattern", pattern.getLast(), pattern.getFirst().equals("-i"));
        var hits = new LineHits(200, 256 << 10);
        var bounds = SeekBounds.DEFAULT;
        try (var root = UntrustedDirectory.open(sources)) {
            var wish = new Seeker.Wish(new byte[0], false, false, PathFilter.ALL);
            var seeker = new Seeker(root, wish, bounds);
            var threads = new Thread[STRANDS];
            for (int each = 0; each < STRANDS; each++) {
                threads[each] =
                        Thread.ofPlatform().start(() -> run(seeker, expression, bounds, hits));
            }
            for (var thread : threads) {
                thread.join();
            }
        }
        return hits.totalLines();
    }

    private static void run(
            Seeker seeker, Expression expression, SeekBounds bounds, LineHits hits) {
        var scan =
                new LineScan(
                        expression, new LineScan.Wish(LineScan.Mode.LINES, 0, 0), bounds, hits);
        try (var strand = seeker.strand(scan)) {
            do {
                while (strand.next()) {
                    // Everything is done in there.
                }
            } while (seeker.await());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long ripgrep(String program, Path sources, List<String> pattern)
            throws Exception {
        var words = new java.util.ArrayList<>(List.of(program, "--no-require-git", "-n", "-H"));
        words.addAll(pattern);
        words.add(sources.toString());
        var process =
                new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        long lines = 0;
        var buffer = new byte[1 << 16];
        try (var output = process.getInputStream()) {
            for (int read = output.read(buffer); read >= 0; read = output.read(buffer)) {
                for (int at = 0; at < read; at++) {
                    lines += buffer[at] == '\n' ? 1 : 0;
                }
            }
        }
        process.waitFor();
        return lines;
    }

    private static String table(Map<String, Row> rows) {
        var table = new StringBuilder();
        table.append(
                "%-28s %10s %10s %10s %8s  goal%n"
                        .formatted("pattern", "ours", "ripgrep", "lines", "ratio"));
        rows.forEach((name, row) ->
                table.append(
                        "%-28s %8.3f s %10s %10s %8s  %s%n"
                                .formatted(
                                        name,
                                        row.ours(),
                                        row.ripgrep().map("%.3f s"::formatted).orElse("not there"),
                                        row.theirs()
                                                        .filter(theirs -> theirs != row.lines())
                                                        .isPresent()
                                                ? row.lines() + "/" + row.theirs().orElseThrow()
                                                : row.lines(),
                                        row.ratio().map("%.2f"::formatted).orElse("-"),
                                        row.ratio()
                                                .map(ratio ->
                                                        ">= %.1f %s"
                                                                .formatted(
                                                                        GOAL,
                                                                        ratio >= GOAL
                                                                                ? "met"
                                                                                : "MISSED"))
                                                .orElse(">= " + GOAL))));
        return table.toString();
    }

    private static void erase(Path directory) throws IOException {
        try (var all = Files.walk(directory)) {
            for (var path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
