package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The table of requirements is whole and true: every number is there, and what a row names exists.
class RequirementsTest {
    private static final String DOCUMENT = "docs/requirements.md";
    private static final List<String> REASONS = List.of("not met: ", "waits for code mode");

    private final Map<String, String> tests = tests();
    private final Set<String> sources = sources();

    /// @param shown the tests, or the reason why there are none
    private record Row(String number, String requirement, String where, String shown) {
        static Row of(String line) {
            var cells = line.substring(1, line.length() - 1).split("\\|", -1);
            assertThat(cells).as(line).hasSize(4);
            return new Row(cells[0].strip(), cells[1].strip(), cells[2].strip(), cells[3].strip());
        }

        boolean isReasoned() {
            return REASONS.stream().anyMatch(shown::contains);
        }
    }

    private static List<Row> rows() {
        return Repository.text(DOCUMENT)
                .lines()
                .filter(line -> line.matches("\\| [BSC]-.*"))
                .map(Row::of)
                .toList();
    }

    private static Stream<String> numbers(String letter, int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(n -> "%s-%02d".formatted(letter, n));
    }

    @Test
    void every_number_has_one_row_in_order() {
        var wanted =
                Stream.of(numbers("B", 1, 45), numbers("S", 1, 45), numbers("C", 1, 69))
                        .flatMap(each -> each)
                        .toList();

        assertThat(rows().stream().map(Row::number)).containsExactlyElementsOf(wanted);
        assertThat(wanted).hasSize(159);
    }

    @Test
    void every_row_says_what_is_wanted_where_it_is_and_what_shows_it() {
        for (var row : rows()) {
            assertThat(row.requirement()).as(row.number()).isNotBlank().hasSizeLessThan(140);
            assertThat(row.where()).as(row.number()).isNotBlank();
            var named = Repository.quoted(row.shown()).stream().anyMatch(this::isTest);
            assertThat(named || row.isReasoned()).as(row.number() + " has no test").isTrue();
        }
    }

    @Test
    void every_test_that_is_named_exists() {
        var seen = 0;
        for (var row : rows()) {
            for (var name : Repository.quoted(tested(row))) {
                assertThat(isTest(name)).as(row.number() + " names " + name).isTrue();
                seen++;
            }
        }
        assertThat(seen).as("tests that were looked for").isGreaterThan(150);
    }

    @Test
    void every_file_that_is_named_exists() {
        var seen = 0;
        for (var row : rows()) {
            for (var name : Repository.quoted(row.where())) {
                if (name.matches("[a-z]+/[A-Z]\\w+")) {
                    assertThat(sources).as(row.number()).contains(name);
                    seen++;
                }
            }
            assertThat(row.where().contains("/") || row.isReasoned()).as(row.number()).isTrue();
        }
        assertThat(seen).as("files that were looked for").isGreaterThan(100);
    }

    /// A reason may name anything.
    private static String tested(Row row) {
        var until =
                REASONS.stream()
                        .mapToInt(reason -> row.shown().indexOf(reason))
                        .filter(at -> at >= 0)
                        .min()
                        .orElse(row.shown().length());
        return row.shown().substring(0, until);
    }

    private boolean isTest(String name) {
        if (name.endsWith(".txt")) {
            return tests.containsKey(name);
        }
        var parts = name.split("#", 2);
        var text = tests.get(parts[0]);
        return text != null && (parts.length == 1 || text.contains(" void " + parts[1] + "("));
    }

    /// The text of every test by its name; two classes of one name are one.
    private static Map<String, String> tests() {
        var found = new TreeMap<String, String>();
        Stream.of("server/src/test", "acceptance/src/test/java")
                .flatMap(module -> Repository.files(module, "Test.java").stream())
                .forEach(file -> found.merge(Repository.stem(file), text(file), String::concat));
        Repository.files("acceptance/src/test/resources/transcripts", ".txt")
                .forEach(file -> found.put(String.valueOf(file.getFileName()), ""));
        return found;
    }

    private static String text(Path file) {
        return Repository.text(Repository.ROOT.relativize(file).toString());
    }

    /// As `room/Class`.
    private static Set<String> sources() {
        var main = Repository.ROOT.resolve("server/src/main/java/dev/caisson");
        return Repository.files("server/src/main/java", ".java").stream()
                .map(file -> main.relativize(file).toString().replace(".java", ""))
                .collect(Collectors.toUnmodifiableSet());
    }
}
