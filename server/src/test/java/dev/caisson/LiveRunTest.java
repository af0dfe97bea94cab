package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.json.DeclaredMembers;
import dev.caisson.json.Json;
import dev.caisson.json.SchemaOf;
import dev.caisson.runs.RunFigures;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A run that takes a while, from a client's request over HTTP to a real sandbox and back: what
/// comes meanwhile, how it becomes a task, and how it is stopped.
class LiveRunTest extends ProductTestCase {
    private static final String SLOW = "echo one; sleep 2; echo two";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String TASKS = "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";

    LiveRunTest() {
        super("auth.enabled=false", "sandbox.detach_after=500ms", "sandbox.raw_output=true");
    }

    @Test
    void a_modern_client_sees_the_output_before_the_result() throws Exception {
        assertSeenWhileRunning(modern("tools/call", bash(SLOW), "{}"));
    }

    @Test
    void a_legacy_client_sees_the_output_before_the_result() throws Exception {
        var opened =
                product.http.send(
                        post(
                                "initialize",
                                "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                                        + "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}"),
                        BodyHandlers.ofString());
        var session = opened.headers().firstValue("Mcp-Session-Id").orElseThrow();
        messages(post("logging/setLevel", "\"level\":\"info\"", "Mcp-Session-Id", session));

        assertSeenWhileRunning(
                messages(
                        post(
                                "tools/call",
                                bash(SLOW) + ",\"_meta\":{\"progressToken\":1}",
                                "Mcp-Session-Id",
                                session)));
    }

    private static void assertSeenWhileRunning(List<JsonNode> messages) {
        var meanwhile = messages.subList(0, messages.size() - 1);
        assertThat(methods(meanwhile)).contains("notifications/progress", "notifications/message");
        assertThat(meanwhile.stream().map(JsonNode::toString).filter(text -> text.contains("one")))
                .first()
                .asString()
                .doesNotContain("two");
        var report = messages.getLast().path("result").path("structuredContent");
        assertThat(report.path("stdout").stringValue()).isEqualTo("one\ntwo\n");
    }

    private static List<String> methods(List<JsonNode> messages) {
        return messages.stream().map(each -> each.path("method").asString("")).toList();
    }

    @Test
    void run_code_answers_in_its_first_form_where_the_operator_wants_it() throws Exception {
        var arguments =
                "\"name\":\"run_code\",\"arguments\":{\"conversationId\":\"abc123\","
                        + "\"language\":\"bash\",\"code\":\"echo 4\"}";
        var result = messages(post("tools/call", arguments)).getLast().path("result");

        var item = result.path("content").get(0);
        assertThat(item.path("type").stringValue()).isEqualTo("output");
        assertThat(item.path("data").path("output").stringValue()).isEqualTo("4\n");
        assertThat(item.path("data")).isEqualTo(result.path("structuredContent"));
    }

    @Test
    void run_code_that_is_refused_answers_in_its_first_form_too() throws Exception {
        var arguments =
                "\"name\":\"run_code\",\"arguments\":{\"conversationId\":\"abc123\","
                        + "\"language\":\"cobol\",\"code\":\"echo 4\"}";
        var result = messages(post("tools/call", arguments)).getLast().path("result");

        assertThat(result.path("isError").booleanValue()).isTrue();
        var item = result.path("content").get(0);
        assertThat(item.path("type").stringValue()).isEqualTo("output");
        assertThat(item.path("data")).isEqualTo(result.path("structuredContent"));
        assertThat(item.path("data").path("success").booleanValue()).isFalse();
        assertThat(item.path("data").path("output").stringValue()).contains("cobol");
        assertThat(item.path("data").path("files").isArray()).isTrue();
        assertThat(item.path("data").path("files")).isEmpty();
    }

    @Test
    void a_long_run_goes_on_as_a_task_and_its_result_is_kept() throws Exception {
        var id = detached(SLOW);

        await().atMost(PATIENCE).until(() -> task("tasks/get", id).contains("\"completed\""));
        assertThat(task("tasks/get", id)).contains("one\\ntwo\\n", "\"exit_code\":0");
        var report =
                modern("tasks/get", "\"taskId\":\"%s\"".formatted(id), TASKS)
                        .getLast()
                        .findValue(RunFigures.NAME);
        assertThat(DeclaredMembers.assertAllThere(SchemaOf.result(RunFigures.class), report))
                .isGreaterThan(30);
    }

    @Test
    void cancelling_a_task_kills_the_run() throws Exception {
        var id = detached("trap '' TERM INT; sleep 600");
        assertThat(metric("caisson_runs_active ")).isPositive();

        task("tasks/cancel", id);

        await().atMost(PATIENCE)
                .until(() ->
                        metric("caisson_runs_total{language=\"bash\",status=\"cancelled\"} ") == 1);
        assertThat(task("tasks/get", id)).contains("\"cancelled\"");
    }

    @Test
    void runs_are_counted_with_the_time_of_every_stage() throws Exception {
        modern("tools/call", bash("exit 3"), "{}");

        assertThat(metric("caisson_runs_total{language=\"bash\",status=\"failed\"} ")).isPositive();
        assertThat(metric("caisson_run_seconds_count{language=\"bash\"} ")).isPositive();
        assertThat(metric("caisson_runs_waiting ")).isZero();
        for (var stage : List.of("queue", "attach", "run", "teardown")) {
            var name = "caisson_run_stage_seconds_count{stage=\"%s\"} ".formatted(stage);
            assertThat(metric(name)).as(name).isPositive();
        }
    }

    private String detached(String code) throws Exception {
        var created = modern("tools/call", bash(code), TASKS).getLast();
        assertThat(created.path("result").path("resultType").asString(""))
                .as(created.toString())
                .isEqualTo("task");
        return created.path("result").path("taskId").stringValue();
    }

    private String task(String method, String id) throws Exception {
        return modern(method, "\"taskId\":\"%s\"".formatted(id), TASKS).toString();
    }

    private double metric(String name) throws Exception {
        var request = HttpRequest.newBuilder(product.server.address().resolve("/metrics")).build();
        return product.http
                .send(request, BodyHandlers.ofString())
                .body()
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
                .findFirst()
                .orElse(0);
    }

    private static String bash(String code) {
        var arguments = Json.object().put("language", "bash").put("code", code);
        return "\"name\":\"sandbox_execute\",\"arguments\":" + Json.text(arguments);
    }

    private List<JsonNode> modern(String method, String params, String client) throws Exception {
        var given = (ObjectNode) Json.parse("{" + params + "}");
        given.putObject("_meta")
                .put("io.modelcontextprotocol/logLevel", "info")
                .put("progressToken", "p")
                .set("io.modelcontextprotocol/clientCapabilities", Json.parse(client));
        return messages(McpMessages.modern(product.open("/mcp"), method, given).build());
    }

    /// @param params members of `params`, without braces
    private HttpRequest post(String method, String params, String... headers) {
        var body =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{%s}}"
                        .formatted(method, params);
        var request =
                HttpRequest.newBuilder(product.server.address().resolve("/mcp"))
                        .header("Accept", "application/json, text/event-stream")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body));
        return headers.length == 0 ? request.build() : request.headers(headers).build();
    }

    /// Every message of an answer, be it a stream or one object.
    private List<JsonNode> messages(HttpRequest request) throws Exception {
        var answer = product.http.send(request, BodyHandlers.ofString());
        return McpMessages.messages(answer.body()).toList();
    }
}
