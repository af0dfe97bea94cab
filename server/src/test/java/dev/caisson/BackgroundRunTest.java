package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.json.Json;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Programs that run on after their calls were answered: asked for, or because a client's time was
/// nearly over; how they are found, awaited and ended.
class BackgroundRunTest extends ProductTestCase {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MAX = 3;

    private static final String ENDLESS = "echo begun; sleep 600";

    BackgroundRunTest() {
        super("mcp.answer_within=1500ms", "sandbox.background_max=" + MAX);
    }

    @AfterEach
    void endAll() throws Exception {
        for (var row : list(Json.object().put("status", "running")).path("executions")) {
            call("execution_cancel", id(row));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_run_in_the_background_is_answered_at_once_and_awaited(boolean modern) throws Exception {
        var begun = result(modern, "sandbox_execute", background("echo one; sleep 1; echo two"));

        assertThat(begun.path("isError").booleanValue()).isFalse();
        var report = begun.path("structuredContent");
        assertThat(report.path("status").stringValue()).isEqualTo("running");
        assertThat(begun.at("/content/0/text").stringValue())
                .contains(report.path("execution_id").stringValue(), "execution_wait");

        var ended = result(modern, "execution_wait", id(report));
        assertThat(ended.path("isError").booleanValue()).isFalse();
        assertThat(ended.path("structuredContent").path("stdout").stringValue())
                .isEqualTo("one\ntwo\n");
        assertThat(ended.at("/content/0/text").stringValue()).contains("one\ntwo");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_long_wait_tells_of_its_progress(boolean modern) throws Exception {
        var run = start("sleep 5; echo done");
        var params = McpMessages.tool("execution_wait", id(run).put("seconds", 300));
        params.putObject("_meta").put("progressToken", "p");
        var to = product.request("/mcp");
        var request =
                modern
                        ? McpMessages.modern(to, "tools/call", params)
                        : McpMessages.legacy(to, "tools/call", params);
        var messages = McpMessages.messages(product.send(request).body()).toList();
        assertThat(messages)
                .anySatisfy(message ->
                        assertThat(message.at("/params/message").asString(""))
                                .startsWith("Waiting for "));
        assertThat(messages.getLast().at("/result/structuredContent/stdout").asString(""))
                .isEqualTo("done\n");
        assertThat(result(modern, "execution_wait", id(run).put("seconds", 301)).toString())
                .contains("seconds");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_client_without_tasks_is_answered_in_time_and_its_program_runs_on(boolean modern)
            throws Exception {
        var code = "echo one; sleep 4; echo two";
        var early = result(modern, "sandbox_execute", TestProduct.bash(code));

        var report = early.path("structuredContent");
        assertThat(report.path("status").stringValue()).isEqualTo("running");
        assertThat(report.path("stdout").stringValue()).isEqualTo("one\n");
        assertThat(early.at("/content/0/text").stringValue())
                .contains("one", "Still running after", "execution_wait");

        var since = id(report).put("since", report.path("next_since").stringValue());
        var ended = call("execution_wait", since);
        assertThat(ended.path("stdout").stringValue()).isEqualTo("one\ntwo\n");
        assertThat(ended.path("exit_code").intValue()).isZero();
    }

    @Test
    void a_client_that_follows_tasks_is_not_answered_early() throws Exception {
        var params =
                McpMessages.withTasks(
                        McpMessages.tool(
                                "sandbox_execute", TestProduct.bash("sleep 3; echo done")));
        var answer =
                product.send(McpMessages.modern(product.request("/mcp"), "tools/call", params));
        var report = McpMessages.response(answer.body()).at("/result/structuredContent");
        assertThat(report.path("stdout").stringValue()).isEqualTo("done\n");
    }

    @Test
    void a_legacy_client_that_declares_tasks_is_answered_early_for_it_cannot_follow_them()
            throws Exception {
        var hello =
                (ObjectNode)
                        Json.parse(
                                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{"
                                        + "\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}},"
                                        + "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}");
        var session =
                product.send(McpMessages.legacy(product.request("/mcp"), "initialize", hello))
                        .headers()
                        .firstValue("Mcp-Session-Id")
                        .orElseThrow();
        var call = McpMessages.tool("sandbox_execute", TestProduct.bash("sleep 4"));
        var to = product.request("/mcp").header("Mcp-Session-Id", session);
        var answer = product.send(McpMessages.legacy(to, "tools/call", call)).body();
        assertThat(McpMessages.response(answer).at("/result/structuredContent/status").asString())
                .isEqualTo("running");
    }

    @Test
    void run_code_is_answered_in_time_too() throws Exception {
        var arguments =
                Json.object()
                        .put("conversationId", "long-talk")
                        .put("language", "bash")
                        .put("code", "echo one; sleep 3");
        var early = call("run_code", arguments);
        assertThat(early.path("status").stringValue()).isEqualTo("running");
        assertThat(call("execution_wait", id(early)).path("status").stringValue())
                .isEqualTo("success");
    }

    @Test
    void a_lost_answer_loses_no_output_and_a_cursor_repeats_none() throws Exception {
        var run = start("for i in 1 2 3 4; do echo line $i; sleep 0.5; done; sleep 600");
        await().atMost(PATIENCE).until(() -> waited(run, "").contains("line 2"));
        var first = call("execution_wait", id(run).put("seconds", 0));
        await().atMost(PATIENCE).until(() -> waited(run, "").contains("line 4"));

        assertThat(waited(run, "")).isEqualTo("line 1\nline 2\nline 3\nline 4\n");
        var rest = waited(run, first.path("next_since").stringValue());
        assertThat(first.path("stdout").stringValue() + rest).isEqualTo(waited(run, ""));
        assertThat(waited(run, "0.0")).isEqualTo(waited(run, ""));
        assertThat(result(false, "execution_wait", id(run).put("since", "x.y")).toString())
                .contains("since is not valid");
    }

    @Test
    void much_output_is_shown_with_its_beginning_and_its_end() throws Exception {
        var run = start("seq 1 200000; sleep 600");
        await().atMost(PATIENCE).until(() -> waited(run, "").contains("\n200000\n"));
        assertThat(waited(run, ""))
                .startsWith("1\n2\n")
                .contains("output_read")
                .endsWith("\n200000\n")
                .hasSizeLessThan(70_000);
    }

    private String waited(JsonNode run, String since) throws Exception {
        var arguments = id(run).put("seconds", 0);
        if (!since.isEmpty()) {
            arguments.put("since", since);
        }
        return call("execution_wait", arguments).path("stdout").stringValue("");
    }

    @Test
    void a_run_is_ended_and_stays_so() throws Exception {
        var run = start(ENDLESS);
        await().atMost(PATIENCE).until(() -> waited(run, "").contains("begun"));

        var first = result(false, "execution_cancel", id(run));
        assertThat(first.at("/structuredContent/status").stringValue()).isEqualTo("cancelled");
        assertThat(first.at("/content/0/text").stringValue()).isEqualTo("The run was ended.");
        assertThat(call("execution_cancel", id(run)).path("status").stringValue())
                .isEqualTo("cancelled");
        var ended = call("execution_wait", id(run));
        assertThat(ended.path("status").stringValue()).isEqualTo("cancelled");
        assertThat(ended.path("stdout").stringValue()).isEqualTo("begun\n");
    }

    @Test
    void runs_are_listed_newest_first_by_status_and_thread_and_page() throws Exception {
        call("sandbox_execute", TestProduct.bash("true").put("thread_id", "listed"));
        var run = start(TestProduct.bash(ENDLESS).put("thread_id", "listed"));

        var filter = Json.object().put("thread_id", "listed");
        var all = list(filter).path("executions");
        assertThat(all).hasSize(2);
        assertThat(all.get(0).path("execution_id")).isEqualTo(run.path("execution_id"));
        assertThat(list(filter.deepCopy().put("status", "success")).path("executions")).hasSize(1);
        var page = list(filter.deepCopy().put("limit", 1));
        var next = filter.deepCopy().put("cursor", page.path("next_cursor").stringValue());
        assertThat(list(next).at("/executions/0")).isEqualTo(all.get(1));
    }

    @Test
    void another_keys_runs_are_unknown() throws Exception {
        var run = start(ENDLESS);
        var other = newKey();

        for (var tool : List.of("execution_wait", "execution_cancel")) {
            var answer = response(other, tool, id(run));
            assertThat(answer.at("/result/isError").booleanValue()).isTrue();
            assertThat(answer.toString()).contains("You have no execution");
        }
        assertThat(
                        response(other, "executions_list", Json.object())
                                .at("/result/structuredContent/executions"))
                .isEmpty();
        assertThat(call("execution_wait", id(run).put("seconds", 0)).path("status").stringValue())
                .isEqualTo("running");
    }

    @Test
    void a_key_has_so_many_in_the_background_and_waits_for_the_next() throws Exception {
        var runs = new ArrayList<JsonNode>();
        for (var i = 0; i < MAX; i++) {
            runs.add(start(ENDLESS));
        }
        var refused = result(false, "sandbox_execute", background("true"));
        assertThat(refused.path("isError").booleanValue()).isTrue();
        assertThat(refused.at("/content/0/text").stringValue())
                .contains("3 background runs", "execution_wait", "execution_cancel");
        var asked = TestProduct.bash("true").put("background", true);
        assertThat(product.send(product.execute(asked)).statusCode()).isEqualTo(429);

        var attached = call("sandbox_execute", TestProduct.bash("sleep 3; echo end"));
        assertThat(attached.path("stdout").stringValue()).isEqualTo("end\n");

        call("execution_cancel", id(runs.getFirst()));
        assertThat(start("true").path("status").stringValue()).isEqualTo("running");
    }

    @Test
    void a_busy_thread_says_which_run_has_it_and_what_to_do() throws Exception {
        var run = start(TestProduct.bash(ENDLESS).put("thread_id", "held"));
        var busy =
                result(
                        false,
                        "sandbox_execute",
                        TestProduct.bash("true").put("thread_id", "held").put("wait_seconds", 30));
        assertThat(busy.at("/content/0/text").stringValue())
                .contains(
                        run.path("execution_id").stringValue(),
                        "execution_wait",
                        "execution_cancel");
        assertThat(busy.at("/structuredContent/execution_id")).isEqualTo(run.path("execution_id"));
    }

    @Test
    void a_session_keeps_its_variables_over_a_run_in_the_background() throws Exception {
        var arguments = background("x=41; sleep 1").put("thread_id", "kept").put("session", true);
        call("execution_wait", id(call("sandbox_execute", arguments)));
        var next = TestProduct.bash("echo $((x+1))").put("thread_id", "kept").put("session", true);
        assertThat(call("sandbox_execute", next).path("stdout").stringValue()).isEqualTo("42\n");
    }

    @Test
    void an_image_of_an_erased_workspace_comes_with_the_end() throws Exception {
        var png =
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=";
        var run = start("sleep 1; echo " + png + " | base64 -d > a.png");
        var ended = result(false, "execution_wait", id(run));
        assertThat(ended.at("/content/1/type").stringValue()).isEqualTo("image");
        assertThat(ended.at("/content/1/mimeType").stringValue()).isEqualTo("image/png");
    }

    @Test
    void the_call_and_its_end_stand_in_the_ledger() throws Exception {
        var run = start("exit 3");
        assertThat(call("execution_wait", id(run)).path("exit_code").intValue()).isEqualTo(3);
        var id = run.path("execution_id").stringValue();
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(product.get("/v1/ledger?limit=50").toString())
                                .contains(id, "\"failed\""));
    }

    @Test
    void rest_takes_the_same_argument() throws Exception {
        var answer = product.send(product.execute(background("echo done")));
        assertThat(answer.statusCode()).isEqualTo(202);
        var ended = call("execution_wait", id(Json.parse(answer.body())));
        assertThat(ended.path("stdout").stringValue()).isEqualTo("done\n");
    }

    @Test
    void a_run_that_was_answered_in_full_is_found_again() throws Exception {
        var code = TestProduct.bash("echo done; echo x > a.txt").put("thread_id", "again");
        var first = call("sandbox_execute", code);
        var run = list(Json.object().put("thread_id", "again")).at("/executions/0");
        var again = call("execution_wait", id(run));
        assertThat(again.path("stdout")).isEqualTo(first.path("stdout"));
        assertThat(again.path("status")).isEqualTo(first.path("status"));
        assertThat(again.toString()).contains("a.txt");
    }

    // What a client that goes away means.

    @Test
    void a_client_that_cancels_ends_its_program() throws Exception {
        assertThat(endOf("The user pressed stop")).isEqualTo("cancelled");
    }

    @Test
    void a_client_whose_time_is_over_loses_nothing() throws Exception {
        assertThat(endOf("McpError: MCP error -32001: Request timed out")).isEqualTo("success");
    }

    @Test
    void a_client_of_http_and_sse_that_leaves_loses_nothing() throws Exception {
        var mine = Json.object().put("thread_id", "left");
        var call = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tools/call");
        var arguments = TestProduct.bash("sleep 2.5; echo end").put("thread_id", "left");
        call.set("params", McpMessages.tool("sandbox_execute", arguments));
        try (var stream =
                product.bytes(product.request("/sse").header("Accept", "text/event-stream"))
                        .body()) {
            var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
            var line = lines.readLine();
            while (!line.startsWith("data:")) {
                line = lines.readLine();
            }
            var to = product.request(line.substring("data:".length()).strip());
            assertThat(product.send(TestProduct.post(to, call)).statusCode()).isEqualTo(202);
            awaitTold(mine);
        }
        var run = list(mine).at("/executions/0");
        assertThat(call("execution_wait", id(run)).path("status").stringValue())
                .isEqualTo("success");
    }

    /// Waits until a run is there and its client could find it again, which takes half a second.
    private void awaitTold(ObjectNode filter) throws Exception {
        await().atMost(PATIENCE).until(() -> list(filter).path("executions").size() == 1);
        Thread.sleep(700);
    }

    /// How a program ends whose request is cancelled for a reason, before it is answered.
    private String endOf(String reason) throws Exception {
        var thread = "cancelled " + reason.length();
        var call =
                McpMessages.tool(
                        "sandbox_execute",
                        TestProduct.bash("sleep 2.5; echo end").put("thread_id", thread));
        var request = McpMessages.legacy(product.request("/mcp"), "tools/call", call);
        var open =
                CompletableFuture.supplyAsync(() ->
                        product.http.sendAsync(request.build(), BodyHandlers.ofString()).join());
        var mine = Json.object().put("thread_id", thread);
        awaitTold(mine);
        var cancel = Json.object().put("jsonrpc", "2.0").put("method", "notifications/cancelled");
        cancel.putObject("params").put("requestId", 1).put("reason", reason);
        product.send(
                product.request("/mcp")
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .POST(BodyPublishers.ofString(Json.text(cancel))));
        open.get();
        var run = list(mine).at("/executions/0");
        return call("execution_wait", id(run)).path("status").stringValue();
    }

    private static ObjectNode background(String code) {
        return TestProduct.bash(code).put("background", true);
    }

    private JsonNode start(String code) throws Exception {
        return start(TestProduct.bash(code));
    }

    private JsonNode start(ObjectNode arguments) throws Exception {
        var begun = call("sandbox_execute", arguments.put("background", true));
        assertThat(begun.path("status").stringValue()).as(begun.toString()).isEqualTo("running");
        return begun;
    }

    private static ObjectNode id(JsonNode report) {
        return Json.object().put("execution_id", report.path("execution_id").stringValue());
    }

    private JsonNode list(ObjectNode filter) throws Exception {
        return call("executions_list", filter);
    }

    /// The structured content of a result, or all of it where it has none.
    private JsonNode call(String tool, ObjectNode arguments) throws Exception {
        var result = result(false, tool, arguments);
        return result.has("structuredContent") ? result.path("structuredContent") : result;
    }

    private JsonNode result(boolean modern, String tool, ObjectNode arguments) throws Exception {
        var params = McpMessages.tool(tool, arguments);
        var to = product.request("/mcp");
        var request =
                modern
                        ? McpMessages.modern(to, "tools/call", params)
                        : McpMessages.legacy(to, "tools/call", params);
        return McpMessages.response(product.send(request).body()).path("result");
    }

    private JsonNode response(String key, String tool, ObjectNode arguments) throws Exception {
        HttpRequest.Builder to = product.open("/mcp").header("Authorization", "Bearer " + key);
        var params = McpMessages.tool(tool, arguments);
        return McpMessages.response(
                product.send(McpMessages.legacy(to, "tools/call", params)).body());
    }

    private String newKey() throws Exception {
        var body = Json.object().put("name", "other");
        body.putArray("scopes").add("run");
        var made = product.send(TestProduct.post(product.request("/v1/keys"), body));
        return Json.parse(made.body()).path("secret").stringValue();
    }
}
