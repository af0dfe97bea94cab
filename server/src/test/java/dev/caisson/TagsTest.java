package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Tags by which `caisson test` leaves tests out: whatever uses what not every machine has says so.
class TagsTest {
    /// What a test names that needs more than a plain user and a JDK, by the tag it needs.
    private static final Map<String, Pattern> SIGNS =
            Map.of(
                    "root",
                    Pattern.compile(
                            "\\bRig\\b|\\bSandboxes\\.open|\\bShellInSandbox\\b|new TestProduct\\("
                                    + "|\\bChildServer\\b|new LoopImages\\(|\\bOtherServer\\b"
                                    + "|\\bHostState\\b|\\bProduct\\.start\\b"),
                    "postgres",
                    Pattern.compile(
                            "\\bTestPostgres\\b|\\bDurablePostgres\\b|\\bKind\\.POSTGRES\\b"
                                    + "|@BothDatabases"),
                    "browser",
                    Pattern.compile("\\bConsoleProject\\b|\\bJudges\\.ready\\b"));

    private static final Set<String> KNOWN = Set.of("root", "browser", "postgres", "slow", "alone");

    private static final Pattern TAG = Pattern.compile("@Tag\\(\"([^\"]*)\"\\)");
    private static final Pattern PARENT = Pattern.compile("\\bclass \\w+ extends (\\w+)");

    private final Map<String, String> sources =
            Stream.of("server/src/test/java", "acceptance/src/test/java")
                    .flatMap(module -> Repository.files(module, ".java").stream())
                    .filter(file -> !file.endsWith("package-info.java"))
                    .collect(Collectors.toMap(Repository::stem, TagsTest::code, (one, _) -> one));

    /// Without comments and imports, which use nothing.
    private static String code(Path file) {
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> !line.startsWith("import "))
                    .filter(line -> !line.strip().startsWith("//"))
                    .collect(Collectors.joining("\n"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private List<String> tests() {
        return sources.keySet().stream().filter(name -> name.endsWith("Test")).sorted().toList();
    }

    /// Those of the class and of the classes it extends.
    private Set<String> tags(String name) {
        var source = sources.getOrDefault(name, "");
        var tags = new HashSet<String>();
        TAG.matcher(source).results().forEach(tag -> tags.add(tag.group(1)));
        if (source.contains("@BothDatabases")) {
            tags.add("postgres");
        }
        var parent = PARENT.matcher(source);
        if (parent.find()) {
            tags.addAll(tags(parent.group(1)));
        }
        return tags;
    }

    @Test
    void a_test_that_needs_more_than_a_plain_user_has_the_tag_for_it() {
        var missing = new ArrayList<String>();
        for (var name : tests()) {
            SIGNS.forEach((tag, sign) -> {
                var named = sign.matcher(sources.getOrDefault(name, ""));
                if (!name.equals("TagsTest") && named.find() && !tags(name).contains(tag)) {
                    missing.add(
                            "%s names %s and lacks @Tag(\"%s\")"
                                    .formatted(name, named.group(), tag));
                }
            });
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void there_is_no_other_tag_than_those_that_the_launcher_explains() {
        for (var name : tests()) {
            assertThat(KNOWN).as(name).containsAll(tags(name));
        }
        assertThat(Repository.text("caisson")).contains("root | browser | postgres | slow");
    }

    @Test
    void there_are_enough_tests_to_mean_anything() {
        assertThat(tests()).hasSizeGreaterThan(200);
        assertThat(tests().stream().filter(name -> tags(name).contains("root")).count())
                .isGreaterThan(50);
        assertThat(tests().stream().filter(name -> tags(name).contains("postgres")).count())
                .isGreaterThan(10);
    }
}
