package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The last expression and the advice of a run are kept with it: who comes later reads the same.
class KeptEndNotesTest extends ProductTestCase {
    private static final String TABLE =
            """
            class Table:
                def __repr__(self):
                    return 'a table with SECRET'
                def _repr_html_(self):
                    return '<table><tr><th>SECRET</th></tr></table>'
            Table()
            """;

    private JsonNode executed(String code) throws Exception {
        var order = Json.object().put("language", "python").put("code", code).put("display", true);
        order.putObject("env_vars").put("API_TOKEN", "tok-4711-secret");
        return Json.parse(product.send(product.execute(order)).body());
    }

    private JsonNode record(JsonNode answer) throws Exception {
        return product.get("/v1/executions/" + answer.path("execution_id").stringValue());
    }

    private JsonNode awaited(JsonNode answer) throws Exception {
        var id = Json.object().put("execution_id", answer.path("execution_id").stringValue());
        var params = McpMessages.tool("execution_wait", id);
        var request = McpMessages.legacy(product.request("/mcp"), "tools/call", params);
        return McpMessages.response(product.send(request).body()).path("result");
    }

    @Test
    void the_last_expression_is_in_the_record_and_in_what_a_waiting_caller_gets() throws Exception {
        var answer = executed(TABLE.replace("SECRET", "tok-4711-secret"));
        var display = answer.path("display");
        assertThat(display.size()).as(answer.toString()).isEqualTo(2);
        assertThat(display.toString()).contains("a table with", "<table>");

        assertThat(record(answer).path("display")).isEqualTo(display);
        assertThat(record(answer).toString()).doesNotContain("tok-4711-secret");
        var awaited = awaited(answer);
        assertThat(awaited.at("/structuredContent/display").stringValue())
                .startsWith("a table with");
        assertThat(awaited.at("/content/0/text").stringValue()).contains("a table with");
    }

    @Test
    void the_advice_is_in_the_record_and_in_what_a_waiting_caller_gets() throws Exception {
        var answer = executed("import nowhere_to_be_found");
        var advice = answer.path("advice").stringValue();
        assertThat(advice).contains("'nowhere_to_be_found' is not installed");

        assertThat(record(answer).path("advice").stringValue()).isEqualTo(advice);
        assertThat(awaited(answer).at("/structuredContent/advice").stringValue()).isEqualTo(advice);
    }

    @Test
    void a_run_without_either_has_neither() throws Exception {
        var record = record(executed("print(1)"));
        assertThat(record.path("advice").isNull()).isTrue();
        assertThat(record.path("display").isNull()).isTrue();
    }
}
