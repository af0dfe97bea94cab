package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Libraries that one room owns: no other room names their types, so that it could be replaced.
class LibraryOwnersTest {
    private static final Path BASE = Repository.ROOT.resolve("server/src/main/java/dev/caisson");

    /// From what a library's packages begin with to its room.
    private static final Map<String, String> OWNERS =
            Map.of(
                    "org.jdbi.", "store",
                    "com.zaxxer.hikari.", "store",
                    "org.flywaydb.", "store",
                    "org.eclipse.jetty.", "http",
                    "org.eclipse.jetty.client.", "egress",
                    "com.knuddels.jtokkit.", "stubs",
                    "picocli.", "cli");

    /// Parts of Jetty that its server and its client have in common.
    private static final List<String> SHARED =
            List.of("org.eclipse.jetty.http.", "org.eclipse.jetty.io.", "org.eclipse.jetty.util.");

    private static final Set<String> SHARED_BY = Set.of("http", "egress");

    private static final Pattern IMPORT = Pattern.compile("^import ([\\w.]+);$", Pattern.MULTILINE);

    @Test
    void only_the_owner_of_a_library_names_its_types() throws IOException {
        var elsewhere = new TreeSet<String>();
        var seen = new TreeMap<String, Integer>();
        for (var file : Repository.files("server/src/main/java", ".java")) {
            var text = Files.readString(file);
            var room = BASE.relativize(file).getName(0).toString();
            IMPORT.matcher(text)
                    .results()
                    .map(found -> found.group(1))
                    .forEach(type ->
                            library(type)
                                    .ifPresent(library -> {
                                        seen.merge(library, 1, Integer::sum);
                                        if (!mayName(room, type, library)) {
                                            elsewhere.add(BASE.relativize(file) + " names " + type);
                                        }
                                    }));
        }

        assertThat(elsewhere).isEmpty();
        assertThat(seen.keySet()).as("libraries that were seen").isEqualTo(OWNERS.keySet());
    }

    /// The longest that a name begins with: a part of a library may have an owner of its own.
    private static Optional<String> library(String type) {
        return OWNERS.keySet().stream()
                .filter(type::startsWith)
                .max(Comparator.comparingInt(String::length));
    }

    private static boolean mayName(String room, String type, String library) {
        return room.equals(OWNERS.get(library))
                || (SHARED_BY.contains(room) && SHARED.stream().anyMatch(type::startsWith));
    }
}
