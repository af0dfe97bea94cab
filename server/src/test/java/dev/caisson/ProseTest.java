package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Rules for the first sentence of class comments: a reader who searches must find the class by it.
class ProseTest {
    /// Openings that say nothing a reader would search for.
    private static final Set<String> VAGUE =
            Set.of(
                    "What",
                    "Who",
                    "Whom",
                    "Whose",
                    "Whoever",
                    "Whatever",
                    "How",
                    "Where",
                    "When",
                    "Why",
                    "Which",
                    "Whether",
                    "Is",
                    "Are",
                    "Has",
                    "Sees",
                    "Says",
                    "Tells",
                    "That",
                    "Those",
                    "Something",
                    "Somebody",
                    "Everything");

    private static final int TYPES_MIN = 500;

    @Test
    void every_type_has_a_comment_that_begins_with_what_the_type_is() {
        var vague = new TreeMap<String, String>();
        var types = 0;
        for (var file : Repository.files("server/src/main/java", ".java")) {
            var name = Repository.stem(file);
            if (!name.equals("package-info")) {
                var comment = comment(file, name);
                types++;
                if (comment.isEmpty() || VAGUE.contains(comment.split("[\\s,.:;]", 2)[0])) {
                    vague.put(name, comment);
                }
            }
        }

        assertThat(types).as("types seen, too few to mean anything").isGreaterThan(TYPES_MIN);
        assertThat(vague).as("comments that do not say what the type is").isEmpty();
    }

    /// The comment above a top-level type, on one line; empty when there is none.
    private static String comment(Path file, String name) {
        var declared =
                Pattern.compile(
                        "^(public |abstract |final |sealed |non-sealed )*"
                                + "(class|record|interface|enum|@interface) "
                                + name
                                + "\\b.*");
        var comment = new ArrayList<String>();
        for (var line : lines(file)) {
            if (line.startsWith("///")) {
                comment.add(line.substring(3).strip());
            } else if (declared.matcher(line).matches()) {
                return String.join(" ", comment).strip();
            } else if (line.isBlank()) {
                comment.clear();
            }
        }
        return "";
    }

    private static List<String> lines(Path file) {
        return Repository.text(Repository.ROOT.relativize(file).toString()).lines().toList();
    }
}
