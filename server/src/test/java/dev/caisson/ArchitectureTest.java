package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Compares ARCHITECTURE.md with the compiled classes.
class ArchitectureTest {
    private static final Pattern EDGE =
            Pattern.compile("^\\s+(dev\\.caisson[.\\w]*)\\s+->\\s+(dev\\.caisson[.\\w]*)");
    private static final String DOCUMENT = "ARCHITECTURE.md";

    @Test
    void rooms_use_each_other_only_as_the_table_says() {
        var allowed = directions();
        var forbidden = new TreeSet<String>();
        int edges = 0;
        for (var used : edges().entrySet()) {
            for (var room : used.getValue()) {
                edges++;
                var row = allowed.getOrDefault(used.getKey(), Set.of());
                if (!row.contains(room) && !row.contains("every room")) {
                    forbidden.add(used.getKey() + " -> " + room);
                }
            }
        }

        assertThat(forbidden).isEmpty();
        assertThat(edges).as("edges seen, too few to mean anything").isGreaterThan(20);
    }

    @Test
    void every_package_is_a_room_and_every_room_a_package() {
        var packages =
                Repository.files("server/src/main/java", "package-info.java").stream()
                        .map(file -> Repository.stem(file.resolveSibling("")))
                        .collect(Collectors.toCollection(TreeSet::new));
        var rooms =
                Repository.table(DOCUMENT, "Rooms").stream()
                        .map(row -> Repository.quoted(row.getFirst()).getFirst())
                        .collect(Collectors.toCollection(TreeSet::new));

        assertThat(packages).hasSizeGreaterThan(10).isEqualTo(rooms);
        assertThat(directions().keySet()).isEqualTo(rooms);
    }

    @Test
    void no_room_is_below_itself() {
        var directions = new TreeMap<>(directions());
        directions.remove("caisson");
        var settled = new TreeSet<String>();
        while (directions.entrySet().removeIf(row -> settles(row, settled))) {
            assertThat(settled).isNotEmpty();
        }

        assertThat(directions).as("rooms that use each other in a circle").isEmpty();
    }

    private static boolean settles(Map.Entry<String, Set<String>> row, Set<String> settled) {
        return settled.containsAll(row.getValue()) && settled.add(row.getKey());
    }

    private static Map<String, Set<String>> directions() {
        return Repository.table(DOCUMENT, "Who may use whom").stream()
                .collect(
                        Collectors.toMap(
                                row -> Repository.quoted(row.getFirst()).getFirst(),
                                row ->
                                        row.getLast().equals("every room")
                                                ? Set.of("every room")
                                                : Set.copyOf(Repository.quoted(row.getLast()))));
    }

    /// From each room to the rooms it uses, as the compiler left it.
    private static Map<String, Set<String>> edges() {
        var report = new StringWriter();
        var code =
                ToolProvider.findFirst("jdeps")
                        .orElseThrow()
                        .run(
                                new PrintWriter(report),
                                new PrintWriter(report),
                                "-verbose:package",
                                "-filter:none",
                                "-e",
                                "dev\\.caisson.*",
                                Path.of("target/classes").toString());
        assertThat(code).isZero();
        var edges = new TreeMap<String, Set<String>>();
        report.toString()
                .lines()
                .map(EDGE::matcher)
                .filter(edge -> edge.find() && !edge.group(1).equals(edge.group(2)))
                .forEach(edge ->
                        edges.computeIfAbsent(room(edge.group(1)), _ -> new TreeSet<>())
                                .add(room(edge.group(2))));
        return edges;
    }

    private static String room(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
