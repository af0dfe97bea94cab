package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Searches the source for what ARCHITECTURE.md says is deliberately absent, and knows the
/// exceptions it names.
class DeliberatelyAbsentTest {
    private static final Path BASE = Repository.ROOT.resolve("server/src/main/java/dev/caisson");

    private static Set<String> with(String pattern) throws IOException {
        var found = new TreeSet<String>();
        var files = Repository.files("server/src/main/java", ".java");
        assertThat(files).hasSizeGreaterThan(500);
        for (var file : files) {
            if (Pattern.compile(pattern, Pattern.MULTILINE)
                    .matcher(Files.readString(file))
                    .find()) {
                found.add(BASE.relativize(file).toString());
            }
        }
        return found;
    }

    @Test
    void there_are_no_thread_locals() throws IOException {
        assertThat(with("\\bThreadLocal<|\\bInheritableThreadLocal\\b")).isEmpty();
    }

    @Test
    void classes_are_looked_up_by_name_for_signals_alone() throws IOException {
        assertThat(with("\\bClass\\.forName\\(")).containsExactly("SighupHandler.java");
    }

    @Test
    void static_state_that_changes_is_the_set_of_mapped_files_alone() throws IOException {
        assertThat(
                        with(
                                "^    (private |public )?static final (Set|Map|List|Deque|Queue)<[^=]*>"
                                        + " \\w+ =\\s+(new (Concurrent|CopyOnWrite)|ConcurrentHashMap\\.)"))
                .containsExactly("store/MappedFile.java");
        assertThat(
                        with(
                                "^    (private |public )?static (?!final|abstract|native)[\\w<>\\[\\], ]+ \\w+( =.*)?;$"))
                .isEmpty();
    }
}
