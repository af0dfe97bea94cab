package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import dev.caisson.stubs.Tokens;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What a client is listed that names no toolset is short, and one tool of it runs code.
class ToolListTokensTest extends ProductTestCase {
    private static final int TOKENS_MAX = 2500;

    /// Of the list with a space behind every comma and colon, as many programs write JSON. A token
    /// has 4.2 characters; some are left for what this server has not: packages, images.
    private static final int CHARACTERS_MAX = 10_050;

    private static final int DESCRIPTION_LENGTH_MAX = 1100;

    /// Of the list of the toolset code, however many tools other servers have.
    private static final int CODE_TOKENS_MAX = 1_200;

    private static final int CODE_TOKENS_FOR_SERVERS = 150;

    private JsonNode list(String query) throws Exception {
        var message = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tools/list");
        var answer =
                product.send(
                        TestProduct.post(product.request("/mcp" + query), message)
                                .header("Accept", "application/json, text/event-stream"));
        var body = answer.body();
        return Json.parse(body.substring(body.indexOf('{'), body.lastIndexOf('}') + 1))
                .get("result")
                .get("tools");
    }

    private static List<String> names(JsonNode tools) {
        return tools.valueStream().map(tool -> tool.get("name").stringValue()).toList();
    }

    @Test
    void the_whole_list_takes_few_tokens() throws Exception {
        var tools = list("");

        assertThat(names(tools)).contains("sandbox_execute", "files_list").hasSizeGreaterThan(7);
        var each = new StringBuilder();
        for (var tool : tools) {
            each.append(tool.get("name").stringValue())
                    .append(' ')
                    .append(Tokens.count(Json.text(tool)))
                    .append('\n');
        }
        assertThat(Tokens.count(Json.text(tools))).as(each.toString()).isBetween(500, TOKENS_MAX);
    }

    @Test
    void the_whole_list_has_few_characters() throws Exception {
        var each = new StringBuilder();
        var tools = list("");
        for (var tool : tools) {
            each.append(tool.get("name").stringValue())
                    .append(' ')
                    .append(length(tool))
                    .append('\n');
        }

        assertThat(length(Json.parse("{\"a\":[1,\"\u00e9\"],\"b\":{}}"))).isEqualTo(29);
        assertThat(length(tools)).as(each.toString()).isBetween(2_000, CHARACTERS_MAX);
    }

    /// Of a value as JSON in ASCII, with a space behind every comma and colon between members.
    private static int length(JsonNode value) {
        int between = 2 * Math.max(0, value.size() - 1);
        if (value.isObject()) {
            return 2
                    + between
                    + value.propertyStream()
                            .mapToInt(member ->
                                    length(Json.tree(member.getKey()))
                                            + 2
                                            + length(member.getValue()))
                            .sum();
        }
        return value.isArray()
                ? 2 + between + value.valueStream().mapToInt(ToolListTokensTest::length).sum()
                : Json.text(value).chars().map(letter -> letter < 0x80 ? 1 : 6).sum();
    }

    /// The names of other servers come on top of it, some three tokens each.
    @Test
    void the_list_of_code_takes_fewer_tokens_still() throws Exception {
        var tools = list("?toolsets=code");
        assertThat(names(tools))
                .containsExactly(
                        "execution_wait",
                        "sandbox_execute",
                        "tool_call",
                        "tool_describe",
                        "tool_search");
        assertThat(Tokens.count(Json.text(tools)))
                .as(Json.text(tools))
                .isBetween(300, CODE_TOKENS_MAX - CODE_TOKENS_FOR_SERVERS);
    }

    @Test
    void descriptions_fit_a_screen() throws Exception {
        for (var tool : list("?toolsets=core,files,conversation,code")) {
            assertThat(tool.get("description").stringValue())
                    .as(tool.get("name").stringValue())
                    .hasSizeLessThanOrEqualTo(DESCRIPTION_LENGTH_MAX);
        }
    }

    @Test
    void one_tool_runs_code_unless_another_is_asked_for() throws Exception {
        assertThat(names(list(""))).contains("sandbox_execute").doesNotContain("run_code");
        assertThat(names(list("?toolsets=conversation"))).containsExactly("run_code");
        assertThat(names(list("?toolsets=core,conversation")))
                .contains("sandbox_execute", "run_code");
    }
}
