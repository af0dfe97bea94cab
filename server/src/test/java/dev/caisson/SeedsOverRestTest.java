package dev.caisson;

import static dev.caisson.TestProduct.bash;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The exchanges that sandbox services before us promised, over REST: what goes in, what comes out,
/// and that MCP says the same.
class SeedsOverRestTest extends ProductTestCase {

    @Test
    void a_program_that_succeeds() throws Exception {
        assertResult(
                Json.object().put("language", "python").put("code", "print('hello')"),
                """
                {"status":"success","success":true,"exit_code":0,"stdout":"hello\\n","stderr":"",
                 "output":"hello\\n","language":"python","approval_state":"NOT_REQUIRED"}
                """);
    }

    /// Both streams as one text: stdout, a line break when both have something, stderr.
    @Test
    void a_program_that_fails_is_a_result_and_no_error() throws Exception {
        assertResult(
                bash("printf out; printf err >&2; exit 7"),
                """
                {"status":"failed","success":false,"exit_code":7,"stdout":"out","stderr":"err",
                 "output":"out\\nerr"}
                """);
    }

    @Test
    void a_program_that_takes_too_long() throws Exception {
        var result =
                assertResult(
                        bash("echo begun; sleep 60").put("timeout", 1),
                        """
                        {"status":"timeout","success":false,"stdout":"begun\\n"}
                        """);
        assertThat(result.hasNonNull("exit_code")).isFalse();
        assertThat(result.path("message").stringValue()).contains("1 s");
    }

    @Test
    void variables_and_metadata_come_along() throws Exception {
        var arguments = bash("echo $GREETING");
        arguments.putObject("env_vars").put("GREETING", "good day");
        arguments.putObject("metadata").put("user", "u-1").put("step", 3);
        assertResult(
                arguments,
                """
                {"stdout":"good day\\n","metadata":{"user":"u-1","step":3}}
                """);

        for (var name : List.of("lower", "1ST", "PATH", "LD_PRELOAD")) {
            var wrong = bash("true");
            wrong.putObject("env_vars").put(name, "x");
            var refused = execute(wrong);
            assertThat(refused.statusCode()).as(name).isEqualTo(400);
            assertThat(refused.body()).contains("\"validation_error\"", "env_vars");
        }
    }

    @Test
    void the_length_of_code_and_the_choice_of_languages() throws Exception {
        assertThat(execute(bash("")).statusCode()).isEqualTo(400);
        var longest = ":" + " ".repeat((1 << 20) - 1);
        assertThat(execute(bash(longest)).statusCode()).isEqualTo(200);
        assertThat(execute(bash(longest + " ")).statusCode()).isEqualTo(400);

        var unknown = execute(bash("true").put("language", "cobol"));
        assertThat(unknown.statusCode()).isEqualTo(400);
        assertThat(unknown.body()).contains("language", "python", "node", "bash");
    }

    @Test
    void a_file_made_through_one_door_is_seen_through_the_other() throws Exception {
        execute(bash("echo from rest > a.txt").put("thread_id", "shared"));
        assertThat(mcp(bash("cat a.txt; echo from mcp > b.txt").put("thread_id", "shared")))
                .contains("from rest");
        assertResult(
                bash("cat b.txt").put("thread_id", "shared"),
                """
                {"stdout":"from mcp\\n","thread_id":"shared"}
                """);
        assertResult(
                bash("ls").put("thread_id", "another"),
                """
                {"stdout":"","files":[],"files_total":0}
                """);
    }

    @Test
    void a_run_over_mcp_is_on_record_for_rest() throws Exception {
        var said = mcp(bash("echo recorded"));
        var run = said.replaceFirst("(?s).*\"run_id\":\"(exe_[0-9a-f]+)\".*", "$1");

        var found = product.get("/v1/executions/" + run);
        assertThat(found.path("stdout").stringValue()).isEqualTo("recorded\n");
        assertThat(product.get("/v1/ledger?limit=2").toString()).contains("\"door\":\"mcp\"");
    }

    @Test
    void the_list_of_runners() throws Exception {
        var languages = product.get("/v1/runners").path("languages");
        for (var language : List.of("python", "node", "typescript", "bash")) {
            assertThat(languages.toString())
                    .contains("{\"language\":\"%s\",\"image\":\"".formatted(language));
        }
    }

    /// Runs it and compares the members that are named.
    private JsonNode assertResult(ObjectNode arguments, String members) throws Exception {
        var answer = execute(arguments);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        var result = Json.parse(answer.body());
        for (var member : Json.parse(members).properties()) {
            assertThat(result.path(member.getKey()))
                    .as(member.getKey())
                    .isEqualTo(member.getValue());
        }
        return result;
    }

    private HttpResponse<String> execute(ObjectNode arguments) throws Exception {
        return product.send(product.execute(arguments));
    }

    private String mcp(ObjectNode arguments) throws Exception {
        var message = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tools/call");
        message.putObject("params").put("name", "sandbox_execute").set("arguments", arguments);
        return product.send(
                        TestProduct.post(product.request("/mcp"), message)
                                .header("Accept", "application/json, text/event-stream"))
                .body();
    }
}
