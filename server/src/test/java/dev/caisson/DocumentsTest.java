package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.executions.ExecutionStatus;
import dev.caisson.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What the documents say is so.
class DocumentsTest {
    private static final List<String> DOCUMENTS =
            List.of(
                    "README.md",
                    "ARCHITECTURE.md",
                    "SPECIFICATION.md",
                    "SECURITY.md",
                    "CONTRIBUTING.md",
                    "CHANGELOG.md",
                    "docs/configuration.md",
                    "docs/glossary.md",
                    "docs/requirements.md",
                    "docs/rest.md",
                    "docs/operating.md");

    private static final int GLOSSARY_WORDS_MAX = 60;

    @Test
    void every_dependency_is_argued_for() {
        var decisions =
                Repository.files("docs/decisions", ".md").stream()
                        .map(file -> Repository.text(Repository.ROOT.relativize(file).toString()))
                        .collect(Collectors.joining());
        var dependencies =
                found(
                        "<dependency>\\s*<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>\\s*(?!<scope>test)[<]",
                        Repository.text("server/pom.xml"));

        assertThat(dependencies).hasSizeGreaterThan(10);
        for (var dependency : dependencies) {
            assertThat(decisions).contains("`" + dependency + "`");
        }
    }

    @Test
    void every_command_of_the_readme_exists() {
        var launcher = Repository.text("caisson");
        var commands = found("\\./caisson ([a-z]+)", Repository.text("README.md"));

        assertThat(commands).hasSizeGreaterThan(6);
        for (var command : commands) {
            assertThat(launcher)
                    .containsPattern("(?m)^ +([a-z| ]+ )?" + command + "( [|a-z ]+)?\\)");
        }
    }

    @Test
    void every_test_a_document_names_exists() {
        var tests =
                List.of("server", "acceptance").stream()
                        .flatMap(module -> Repository.files(module, "Test.java").stream())
                        .map(Repository::stem)
                        .collect(Collectors.toCollection(TreeSet::new));
        var named = new TreeSet<String>();
        for (var document : DOCUMENTS) {
            named.addAll(found("`([A-Z]\\w+Test)`", Repository.text(document)));
        }

        assertThat(named).hasSizeGreaterThan(8);
        assertThat(tests).containsAll(named);
    }

    @Test
    void every_promise_of_the_security_page_names_its_test() {
        var table = Repository.text("SECURITY.md").split("## What we do not promise", 2)[0];
        var promises =
                table.lines()
                        .filter(line -> line.startsWith("| ") && !line.startsWith("| promise"))
                        .toList();

        assertThat(promises).hasSizeGreaterThan(15);
        assertThat(promises)
                .allSatisfy(line -> assertThat(line).containsPattern("`\\w+Test` ?[,|]"));
    }

    /// A blank line ends a table, and what follows is shown as text.
    @Test
    void every_row_of_a_document_is_in_a_table() {
        var rows = 0;
        for (var document : DOCUMENTS) {
            var lines = Repository.text(document).lines().toList();
            for (var i = 1; i < lines.size(); i++) {
                if (lines.get(i).startsWith("|") && !lines.get(i - 1).startsWith("|")) {
                    assertThat(lines.get(i + 1))
                            .as(document + ": below the head of a table: " + lines.get(i))
                            .matches("\\|[-|: ]+\\|");
                }
                rows += lines.get(i).startsWith("|") ? 1 : 0;
            }
        }

        assertThat(rows).as("rows that were looked at").isGreaterThan(200);
    }

    @Test
    void the_configurations_a_reader_pastes_are_valid() {
        var blocks = found("(?s)```json\n(.*?)```", Repository.text("README.md"));

        assertThat(blocks).hasSize(4);
        for (var block : blocks) {
            assertThat(Json.parse(block).isObject()).isTrue();
        }
    }

    @Test
    void every_requests_body_in_the_readme_is_valid() {
        var bodies = found("(?s)-d '(.*?)'\n", Repository.text("README.md"));

        assertThat(bodies).hasSize(3);
        for (var body : bodies) {
            assertThat(Json.parse(body).path("jsonrpc").stringValue()).isEqualTo("2.0");
        }
    }

    @Test
    void every_link_between_documents_leads_somewhere() throws IOException {
        int links = 0;
        for (var document : DOCUMENTS) {
            var file = Repository.ROOT.resolve(document);
            for (var link : found("\\]\\((?!https?:)([^)#]+)\\)", Files.readString(file))) {
                assertThat(file.resolveSibling(link)).as(document).exists();
                links++;
            }
        }

        assertThat(links).isGreaterThan(8);
    }

    @Test
    void the_glossary_is_short_and_names_types_that_exist() {
        var page = Repository.text("docs/glossary.md").split("(?m)^## Former names$", 2);
        var words = page[0].lines().filter(line -> line.startsWith("| ")).skip(1).toList();
        var types = types();
        var named = new TreeSet<String>();
        for (var row : words) {
            named.addAll(found("`([a-z/]*[A-Z]\\w+)` \\|$", row));
        }
        named.addAll(found("(?m)^\\| `[^`]+` \\| `([a-zA-Z/]+)` \\|$", page[1]));

        assertThat(words).hasSizeBetween(40, GLOSSARY_WORDS_MAX).isSorted();
        assertThat(named).hasSizeGreaterThan(150);
        assertThat(types).containsAll(named);
    }

    @Test
    void the_states_of_a_run_are_those_of_an_execution() {
        var section =
                Repository.text("ARCHITECTURE.md").split("(?m)^## The states of a run$", 2)[1];
        var ends = found("(?m)^ +running --> (\\w+)", section);

        assertThat(Stream.concat(Stream.of("running"), ends.stream()))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(ExecutionStatus.values()).map(ExecutionStatus::word).toList());
    }

    /// The column `start at` of the table that tells where a change goes.
    @Test
    void every_type_where_a_change_begins_exists() {
        var named =
                Repository.table("ARCHITECTURE.md", "Where would my change go").stream()
                        .flatMap(row -> Repository.quoted(row.getLast()).stream())
                        .filter(name -> name.matches("([a-z]+/)*[A-Z]\\w+"))
                        .toList();

        assertThat(named).hasSizeGreaterThan(15);
        assertThat(types()).containsAll(named);
    }

    /// Every top-level type as `room/chamber/Type`.
    private static Set<String> types() {
        var base = Repository.ROOT.resolve("server/src/main/java/dev/caisson");
        return Repository.files("server/src/main/java", ".java").stream()
                .map(file -> base.relativize(file).toString().replace(".java", ""))
                .collect(Collectors.toUnmodifiableSet());
    }

    /// The groups of every match, joined by colons.
    private static List<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(match ->
                        match.groupCount() == 1
                                ? match.group(1)
                                : match.group(1) + ":" + match.group(2))
                .distinct()
                .toList();
    }
}
