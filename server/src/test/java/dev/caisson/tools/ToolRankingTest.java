package dev.caisson.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Caller;
import dev.caisson.call.Scope;
import dev.caisson.call.Toolset;
import dev.caisson.json.Json;
import dev.caisson.sandbox.Language;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// Tools are found by the words of their purpose, and only by callers who may call them.
class ToolRankingTest extends ToolsTestCase {
    ToolRankingTest() {
        super(Language.PYTHON);
    }

    private List<String> found(Caller caller, String query) {
        return names(
                new ToolRanking(bench.broker.callable(caller)).search(query, Optional.empty()));
    }

    private static List<String> names(List<ToolSpec> tools) {
        return tools.stream().map(ToolSpec::qualifiedName).toList();
    }

    private static ToolSpec foreign(String server, String function, String description) {
        return ToolSpec.named(server + "__" + function, function, description)
                .from(
                        new ToolOrigin(
                                server, function, function, function, "", ToolEffect.READ, false))
                .in("up_" + server)
                .build();
    }

    @Test
    void our_own_tools_are_found_by_their_purpose() {
        assertThat(found(Caller.LOCAL, "list files of a thread").getFirst())
                .isEqualTo("caisson.files_list");
        assertThat(found(Caller.LOCAL, "deleting a file").getFirst())
                .isEqualTo("caisson.files_delete");
        assertThat(found(Caller.LOCAL, "wait for a run").getFirst())
                .isEqualTo("caisson.execution_wait");
        assertThat(found(Caller.LOCAL, "caisson")).hasSize(22);
    }

    @Test
    void a_caller_finds_only_what_it_may_call() {
        var reader = new Caller("key:r", "r", Set.of(Scope.FILES_READ), Set.of());
        assertThat(found(reader, "caisson file run code"))
                .containsExactlyInAnyOrder(
                        "caisson.files_download",
                        "caisson.files_list",
                        "caisson.glob",
                        "caisson.grep",
                        "caisson.list_runners",
                        "caisson.read",
                        "caisson.tool_call",
                        "caisson.tool_describe",
                        "caisson.tool_search");
        var core = Caller.LOCAL.seeing(Set.of(Toolset.CORE.word()));
        assertThat(found(core, "caisson files"))
                .contains("caisson.sandbox_execute")
                .noneMatch(name -> name.startsWith("caisson.files_"));
    }

    @Test
    void tools_of_other_servers_are_found_the_same_way() {
        var tools = new ArrayList<>(bench.broker.callable(Caller.LOCAL));
        for (var number = 0; number < 500; number++) {
            tools.add(foreign("s" + number % 16, "do_thing_" + number, "Does the thing."));
        }
        tools.add(foreign("github", "create_issue", "Opens an issue in a repository."));
        var ranking = new ToolRanking(tools);

        assertThat(names(ranking.search("create an issue", Optional.empty())).getFirst())
                .isEqualTo("github.create_issue");
        assertThat(names(ranking.search("thing", Optional.of("s3"))))
                .hasSize(32)
                .allMatch(name -> name.startsWith("s3."));
        assertThat(ranking.search("thing", Optional.of("nobody"))).isEmpty();
    }

    @Test
    void argument_names_and_the_start_of_a_description_count() {
        var schema = (ObjectNode) Json.parse("{\"properties\": {\"zebraCount\": {}}}");
        var text = "x".repeat(ToolRanking.DESCRIPTION_LENGTH_MAX - 6) + " inner outer";
        var ranking = new ToolRanking(List.of(ToolSpec.of("a", "A", text, schema)));

        assertThat(ranking.search("zebras", Optional.empty())).hasSize(1);
        assertThat(ranking.search("inner", Optional.empty())).hasSize(1);
        assertThat(ranking.search("outer", Optional.empty())).isEmpty();
    }

    @Test
    void hostile_queries_find_nothing_and_end() {
        var ranking = new ToolRanking(bench.broker.callable(Caller.LOCAL));
        assertThat(ranking.search("\u0000\u001b\u202e", Optional.empty())).isEmpty();
        assertThat(ranking.search("q".repeat(5_000_000), Optional.empty())).isEmpty();
        assertThat(ranking.search("zz ".repeat(1_000_000), Optional.empty())).isEmpty();
    }
}
