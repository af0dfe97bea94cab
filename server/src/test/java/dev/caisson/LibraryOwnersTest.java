package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
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
                    "picocli.", "cli");

    @Test
    void only_the_owner_of_a_library_names_its_types() throws IOException {
        var elsewhere = new TreeSet<String>();
        var seen = new TreeMap<String, Integer>();
        for (var file : Repository.files("server/src/main/java", ".java")) {
            var text = Files.readString(file);
            var room = BASE.relativize(file).getName(0).toString();
            OWNERS.forEach((library, owner) -> {
                if (text.contains("import " + library)) {
                    seen.merge(library, 1, Integer::sum);
                    if (!room.equals(owner)) {
                        elsewhere.add(BASE.relativize(file) + " names " + library);
                    }
                }
            });
        }

        assertThat(elsewhere).isEmpty();
        assertThat(seen.keySet()).as("libraries that were seen").isEqualTo(OWNERS.keySet());
    }
}
