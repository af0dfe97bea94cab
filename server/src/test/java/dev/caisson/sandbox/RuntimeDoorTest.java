package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Between those who want a box and those who make one stands [SandboxRuntime], in both directions.
class RuntimeDoorTest {
    private static final Path ROOM = Path.of("src/main/java/dev/caisson/sandbox");

    /// Where the users of runtimes are.
    private static final List<Path> PLACES =
            List.of(ROOM, ROOM.resolve("pool"), ROOM.resolve("session"));

    /// The chambers of runtimes, and the one class of each that is opened.
    private static final Map<String, String> CHAMBERS =
            Map.of(
                    "dev.caisson.sandbox.bubblewrap.", "Bubblewrap;",
                    "dev.caisson.sandbox.nest.", "NestRuntime;");

    /// Admission, pool, runs and sessions.
    private static final List<String> USERS =
            List.of(
                    "Sandboxes",
                    "Places",
                    "CallerWeights",
                    "Pool",
                    "WarmQueue",
                    "SandboxRun",
                    "HostResidents",
                    "ResidentSandbox");

    private static Map<String, String> code(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            var found = new TreeMap<String, String>();
            for (var file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
                var lines = Files.readString(file).lines();
                found.put(
                        String.valueOf(file.getFileName()),
                        lines.filter(line -> !line.strip().startsWith("//"))
                                .collect(Collectors.joining("\n")));
            }
            return found;
        }
    }

    @Test
    void one_place_names_the_runtime() throws IOException {
        var naming = new TreeMap<String, String>();
        for (var place : PLACES) {
            naming.putAll(code(place));
        }
        assertThat(naming).hasSizeGreaterThan(40);
        CHAMBERS.forEach((chamber, opened) -> {
            var users = new TreeMap<>(naming);
            users.values().removeIf(text -> !text.contains(chamber));
            assertThat(users.keySet()).containsExactly("Sandboxes.java");
            assertThat(users.values()).allMatch(text -> text.contains(chamber + opened));
            assertThat(String.join("", users.values()).split(Pattern.quote(chamber), -1))
                    .hasSize(2);
        });
    }

    @Test
    void a_runtime_calls_none_of_its_users() throws IOException {
        var chamber = new TreeMap<>(code(ROOM.resolve("bubblewrap")));
        chamber.putAll(code(ROOM.resolve("nest")));
        assertThat(chamber).hasSizeGreaterThan(20);
        assertThat(USERS)
                .allMatch(name ->
                        PLACES.stream()
                                .anyMatch(place -> Files.exists(place.resolve(name + ".java"))));
        var users = Pattern.compile("\\b(" + String.join("|", USERS) + ")\\b");
        chamber.values().removeIf(text -> !users.matcher(text).find());
        assertThat(chamber).isEmpty();
    }
}
