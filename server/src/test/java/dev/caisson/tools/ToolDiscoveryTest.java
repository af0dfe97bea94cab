package dev.caisson.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.FakeCall;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.call.ToolErrorType;
import dev.caisson.json.Json;
import dev.caisson.sandbox.Language;
import dev.caisson.stubs.Tokens;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Our own tools are found, described and called as those of any other server.
class ToolDiscoveryTest extends ToolsTestCase {
    ToolDiscoveryTest() {
        super(Language.PYTHON);
    }

    private JsonNode search(Caller caller, String arguments) throws Exception {
        return ToolBench.structured(
                bench.call(FakeCall.by(caller), "tool_search", (ObjectNode) Json.parse(arguments)));
    }

    private JsonNode search(String arguments) throws Exception {
        return search(Caller.LOCAL, arguments);
    }

    private JsonNode describe(String arguments) throws Exception {
        return ToolBench.structured(bench.call("tool_describe", arguments));
    }

    private static List<String> names(JsonNode answer) {
        return answer.get("tools")
                .valueStream()
                .map(tool -> tool.get("tool").stringValue())
                .toList();
    }

    @Test
    void a_search_has_the_best_tools_with_their_signatures() throws Exception {
        var found = search("{\"query\": \"list the files of a thread\", \"limit\": 3}");
        var best = found.get("tools").get(0);
        assertThat(best.get("tool").stringValue()).isEqualTo("caisson.files_list");
        assertThat(best.get("server_id").stringValue()).isEqualTo("caisson");
        assertThat(best.get("signature").stringValue()).startsWith("files_list(source: ");
        assertThat(best.get("effect").stringValue()).isEqualTo("read");
        assertThat(best.get("policy").stringValue()).isEqualTo("allow");
        assertThat(found.get("tools").size()).isEqualTo(3);
        assertThat(found.get("more").booleanValue()).isTrue();
        assertThat(found.get("total").intValue()).isGreaterThan(3);
    }

    @Test
    void a_search_says_as_much_as_it_is_asked_for() throws Exception {
        var name = search("{\"query\": \"files\", \"detail\": \"name\"}").get("tools").get(0);
        assertThat(name.propertyNames())
                .containsExactly("tool", "server_id", "name", "effect", "policy");
        var described = search("{\"query\": \"files\", \"detail\": \"name+description\"}");
        assertThat(described.get("tools").get(0).propertyNames())
                .contains("name", "description")
                .doesNotContain("signature");
        assertThat(search("{\"query\": \"files\", \"server\": \"nobody\"}").get("tools")).isEmpty();
    }

    @Test
    void a_search_takes_few_tokens_however_much_is_found() throws Exception {
        var found =
                search("{\"query\": \"caisson run code file thread execution\", \"limit\": 50}");
        assertThat(Tokens.count(Json.text(found))).isLessThanOrEqualTo(ToolSearch.TOKENS_MAX);
    }

    @Test
    void a_caller_finds_nothing_it_may_not_call() throws Exception {
        var reader = new Caller("key:r", "r", Set.of(Scope.FILES_READ), Set.of());
        assertThat(names(search(reader, "{\"query\": \"caisson\"}")))
                .containsExactlyInAnyOrder(
                        "caisson.files_download",
                        "caisson.files_list",
                        "caisson.glob",
                        "caisson.grep",
                        "caisson.list_runners",
                        "caisson.read");
        var core = Caller.LOCAL.seeing(Set.of("core", "code"));
        assertThat(names(search(core, "{\"query\": \"list files\"}")))
                .contains("caisson.files_list");
    }

    @Test
    void bounds_of_a_search_are_kept() {
        for (var wrong :
                List.of(
                        "{\"query\": \"\"}",
                        "{\"query\": \"" + "q".repeat(ToolSearch.QUERY_LENGTH_MAX + 1) + "\"}",
                        "{\"query\": \"q\", \"limit\": 0}",
                        "{\"query\": \"q\", \"limit\": 51}",
                        "{\"query\": \"q\", \"detail\": \"all\"}")) {
            assertThatThrownBy(() -> search(wrong)).isInstanceOf(Refusal.class);
        }
    }

    @Test
    void a_tool_is_described_as_a_function() throws Exception {
        var python = describe("{\"tools\": [\"caisson.files_list\"]}").get("tools").get(0);
        assertThat(python.get("stub").stringValue())
                .contains("class FilesListArguments(TypedDict):", "def files_list(arguments:");
        assertThat(python.get("whole").booleanValue()).isTrue();
        var script = describe("{\"tools\": [\"caisson.files_list\"], \"format\": \"typescript\"}");
        assertThat(script.get("tools").get(0).get("stub").stringValue())
                .contains("export function filesList(input: FilesListArguments): Promise<");
        var schema = describe("{\"tools\": [\"files_list\"], \"format\": \"schema\"}");
        assertThat(Json.parse(schema.get("tools").get(0).get("stub").stringValue())).hasSize(4);
        assertThat(python.get("name").stringValue()).isEqualTo("files_list");
        assertThat(python.get("example").stringValue())
                .isEqualTo("caisson.files_list(source=\"thread\", id=\"…\")");
        assertThat(script.get("tools").get(0).get("example").stringValue())
                .isEqualTo("await caisson.filesList({ source: \"thread\", id: \"…\" })");
        assertThat(Json.parse(schema.get("tools").get(0).get("example").stringValue()))
                .isEqualTo(
                        Json.parse(
                                "{\"tool\":\"caisson.files_list\",\"arguments\":{\"source\":\"thread\",\"id\":\"…\"}}"));
    }

    @Test
    void names_that_are_none_are_explained() throws Exception {
        var answer = describe("{\"tools\": [\"caisson.files_lst\", \"x\", \"x\"]}");
        assertThat(answer.get("tools")).isEmpty();
        assertThat(answer.get("unknown").valueStream().map(JsonNode::stringValue))
                .containsExactly(
                        "There is no tool caisson.files_lst. Did you mean caisson.files_list?",
                        "There is no tool x. Find tools with tool_search, and name them"
                                + " module.function.");
    }

    @Test
    void bounds_of_a_description_are_kept() {
        for (var wrong :
                List.of(
                        "{\"tools\": []}",
                        "{\"tools\": [\"\"]}",
                        "{\"tools\": [\"" + "a".repeat(ToolDescribe.NAME_LENGTH_MAX + 1) + "\"]}",
                        "{\"tools\": [" + "\"a\",".repeat(ToolDescribe.TOOLS_MAX) + "\"a\"]}")) {
            assertThatThrownBy(() -> describe(wrong)).isInstanceOf(Refusal.class);
        }
    }

    @Test
    void a_tool_is_called_by_its_qualified_name() throws Exception {
        var direct = bench.call("list_runners", "{}");
        var through = bench.call("tool_call", "{\"tool\": \"caisson.list_runners\"}");
        assertThat(through.structured()).isEqualTo(direct.structured());
        assertThat(through.content()).isEqualTo(direct.content());
    }

    @Test
    void a_call_through_it_is_refused_as_a_call_of_the_tool_is() {
        assertThatThrownBy(() ->
                        bench.call(
                                "tool_call",
                                "{\"tool\": \"caisson.files_list\", \"arguments\": {}}"))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal ->
                                assertThat(refusal.sentence())
                                        .startsWith("The arguments of files_list are not valid"));
        for (var name : List.of("caisson.tool_call", "tool_search", "caisson.none", "x")) {
            assertThatThrownBy(() -> bench.call("tool_call", "{\"tool\": \"" + name + "\"}"))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> {
                                assertThat(refusal.type()).isEqualTo(ToolErrorType.UNKNOWN_TOOL);
                                assertThat(refusal.reason()).isEqualTo(Reason.INVALID_ARGUMENT);
                            });
        }
        var reader = FakeCall.by(new Caller("key:r", "r", Set.of(Scope.FILES_READ), Set.of()));
        var run = (ObjectNode) Json.parse("{\"tool\": \"caisson.sandbox_execute\"}");
        assertThatThrownBy(() -> bench.call(reader, "tool_call", run))
                .hasMessageContaining("There is no tool caisson.sandbox_execute");
    }
}
