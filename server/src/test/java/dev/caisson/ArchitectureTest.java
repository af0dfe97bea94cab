package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
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
    private static final Pattern ROOM = Pattern.compile("^dev\\.caisson\\.(\\w+)");
    private static final Path BASE = Repository.ROOT.resolve("server/src/main/java/dev/caisson");

    /// That a class of one package names one of another.
    private record Edge(String from, String to) {}

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
                        .map(file -> BASE.relativize(file.resolveSibling("")).toString())
                        .map(name -> name.isEmpty() ? "caisson" : name.replace('/', '.'))
                        .collect(Collectors.toCollection(TreeSet::new));
        var documented =
                Repository.table(DOCUMENT, "Rooms").stream()
                        .map(row -> Repository.quoted(row.getFirst()))
                        .filter(names -> !names.isEmpty())
                        .map(List::getFirst)
                        .collect(Collectors.toCollection(TreeSet::new));

        assertThat(packages).hasSizeGreaterThan(10).isEqualTo(documented);
        documented.removeIf(name -> name.contains("."));
        assertThat(directions().keySet()).isEqualTo(documented);
    }

    @Test
    void no_room_uses_a_chamber_of_another() {
        var within = new TreeSet<String>();
        var across = new TreeSet<String>();
        for (var edge : packageEdges()) {
            if (isChamber(edge.to())) {
                var kept = room(edge.from()).equals(room(edge.to())) ? within : across;
                kept.add(edge.from() + " -> " + edge.to());
            }
        }

        assertThat(across).isEmpty();
        assertThat(within)
                .as("uses of chambers seen, too few to mean anything")
                .hasSizeGreaterThan(10);
    }

    @Test
    void one_name_of_a_type_means_one_thing() {
        var places = new TreeMap<String, Set<String>>();
        for (var file : Repository.files("server/src/main/java", ".java")) {
            if (!file.endsWith("package-info.java")) {
                places.computeIfAbsent(Repository.stem(file), _ -> new TreeSet<>())
                        .add(BASE.relativize(file.resolveSibling("")).toString());
            }
        }

        assertThat(places).hasSizeGreaterThan(500);
        places.values().removeIf(packages -> packages.size() == 1);
        assertThat(places).as("type names that stand in two packages").isEmpty();
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

    @Test
    void the_picture_shows_every_room_above_the_rooms_it_uses() {
        var lines = picture();
        var drawn = new TreeMap<String, Integer>();
        for (var line = 0; line < lines.size(); line++) {
            for (var room : lines.get(line)) {
                assertThat(drawn.put(room, line)).as(room + " is drawn twice").isNull();
            }
        }
        var directions = new TreeMap<>(directions());
        assertThat(drawn.keySet()).isEqualTo(directions.keySet());
        directions.remove("caisson");
        var upward = new TreeSet<String>();
        for (var row : directions.entrySet()) {
            row.getValue().stream()
                    .filter(used -> level(drawn, used) < level(drawn, row.getKey()))
                    .forEach(used -> upward.add(row.getKey() + " -> " + used));
        }

        assertThat(upward).as("rooms drawn below one that they are used by").isEmpty();
    }

    private static int level(Map<String, Integer> drawn, String room) {
        return drawn.getOrDefault(room, -1);
    }

    /// The rooms of each line of the picture, from top to bottom.
    private static List<List<String>> picture() {
        var section = Repository.text(DOCUMENT).split("(?m)^## Picture$", 2)[1];
        return section.split("```text\n|```", -1)[1]
                .lines()
                .map(line -> List.of(line.split("\\s{2,}", -1)))
                .map(words -> words.subList(1, words.size()))
                .toList();
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
        var edges = new TreeMap<String, Set<String>>();
        for (var edge : packageEdges()) {
            if (!room(edge.from()).equals(room(edge.to()))) {
                edges.computeIfAbsent(room(edge.from()), _ -> new TreeSet<>()).add(room(edge.to()));
            }
        }
        return edges;
    }

    private static List<Edge> packageEdges() {
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
                                Repository.classes(Main.class).toString());
        assertThat(code).isZero();
        return report.toString()
                .lines()
                .map(EDGE::matcher)
                .filter(edge -> edge.find() && !edge.group(1).equals(edge.group(2)))
                .map(edge -> new Edge(edge.group(1), edge.group(2)))
                .toList();
    }

    /// The first name below the root package.
    private static String room(String name) {
        var below = ROOM.matcher(name);
        return below.find() ? below.group(1) : "caisson";
    }

    private static boolean isChamber(String name) {
        return ROOM.matcher(name).replaceFirst("").startsWith(".");
    }
}
