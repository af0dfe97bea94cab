package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Attempts at a task are counted over REST and MCP alike, and end with a person.
class AttemptsProductTest extends ProductTestCase {
    AttemptsProductTest() {
        super("code.attempts_max=2");
    }

    private static ObjectNode program(String code, String task) {
        return Json.object().put("language", "bash").put("code", code).put("task", task);
    }

    private static ObjectNode untitled() {
        return Json.object().put("language", "bash").put("code", "exit 0");
    }

    private JsonNode overMcp(ObjectNode arguments) throws Exception {
        var message = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tools/call");
        message.putObject("params").put("name", "sandbox_execute").set("arguments", arguments);
        var body =
                product.send(
                                TestProduct.post(product.request("/mcp"), message)
                                        .header("Accept", "application/json, text/event-stream"))
                        .body();
        return Json.parse(body.substring(body.indexOf('{'), body.lastIndexOf('}') + 1))
                .path("result");
    }

    @Test
    void after_the_last_failure_a_person_takes_over() throws Exception {
        var first = Json.parse(product.send(product.execute(program("exit 1", "sums"))).body());
        assertThat(first.path("attempt").path("number").intValue()).isEqualTo(1);
        assertThat(first.path("attempt").path("max").intValue()).isEqualTo(2);
        var second = overMcp(program("exit 1", "sums"));
        assertThat(second.path("structuredContent").path("attempt").path("number").intValue())
                .isEqualTo(2);
        assertThat(second.path("content").get(0).path("text").stringValue())
                .contains("**Attempt:** 2 of 2");

        var third = overMcp(program("exit 0", "sums"));
        assertThat(third.path("isError").booleanValue()).isTrue();
        var said = third.path("structuredContent");
        assertThat(said.path("error").stringValue()).isEqualTo("handoff_required");
        assertThat(said.path("retryable").booleanValue()).isFalse();
        assertThat(said.path("attempts").get(0).stringValue())
                .isEqualTo(first.path("execution_id").stringValue());
        assertThat(said.path("attempts")).hasSize(2);
        var refused = product.send(product.execute(program("exit 0", "sums")));
        assertThat(refused.statusCode()).isEqualTo(409);
        var body = Json.parse(refused.body());
        assertThat(body.path("error").stringValue()).isEqualTo("handoff_required");
        assertThat(body.path("details").path("attempts")).hasSize(2);
        assertThat(body.path("attempts")).isEqualTo(said.path("attempts"));
        assertThat(overMcp(program("exit 0", "another")).path("isError").asBoolean(false))
                .isFalse();
        assertThat(overMcp(untitled()).path("isError").asBoolean(false)).isFalse();

        assertThat(reset("sums").path("reset").booleanValue()).isTrue();
        assertThat(reset("sums").path("reset").booleanValue()).isFalse();
        var again = overMcp(program("exit 0", "sums")).path("structuredContent");
        assertThat(again.path("attempt").path("number").intValue()).isEqualTo(1);
        assertThat(product.get("/v1/ledger?tool=attempts_reset").path("entries")).hasSize(2);
    }

    private JsonNode reset(String task) throws Exception {
        var answer =
                product.send(
                        TestProduct.post(
                                product.request("/v1/attempts/reset"),
                                Json.object().put("task", task)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.parse(answer.body());
    }

    @Test
    void the_record_has_the_attempt_and_a_task_has_a_length() throws Exception {
        var run = Json.parse(product.send(product.execute(program("exit 3", "kept"))).body());
        var kept = product.get("/v1/executions/" + run.path("execution_id").stringValue());
        assertThat(kept.path("attempt")).isEqualTo(run.path("attempt"));
        assertThat(kept.path("tools").isNull()).isTrue();
        for (var wrong : new String[] {"", "t".repeat(129), "a\0b"}) {
            assertThat(product.send(product.execute(program("exit 0", wrong))).statusCode())
                    .isEqualTo(400);
        }
        assertThat(product.send(product.execute(program("exit 0", "t".repeat(128)))).statusCode())
                .isEqualTo(200);
    }
}
