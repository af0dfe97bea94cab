package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.json.Json;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One table of rules, calls and doors: in every cell of a row the verdict is the same, and so is
/// what stands in the ledger.
@Tag("root")
@Timeout(300)
class PolicyParityTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// Such as `weather/forecast {}`.
    private record Called(String tool, String arguments) {}

    private static final List<Called> CALLS =
            List.of(
                    new Called("forecast", "{}"),
                    new Called("set_alarm", "{}"),
                    new Called("set_alarm", "{\"repo\":\"prod\"}"));

    /// Rules, and what becomes of each of the calls by them.
    private static final Map<String, List<String>> ROWS = rows();

    private static Map<String, List<String>> rows() {
        var rows = new LinkedHashMap<String, List<String>>();
        rows.put("", List.of("ok default read", "Denied default", "Denied default"));
        rows.put("{\"decide\":\"allow\"}", List.of("ok rule", "ok rule", "ok rule"));
        rows.put("{\"decide\":\"deny\"}", List.of("Denied rule", "Denied rule", "Denied rule"));
        rows.put(
                "{\"decide\":\"allow\",\"when\":{\"caller\":\"agent\",\"tool\":\"set_*\",\"trust\":\"untrusted\"}}",
                List.of("ok default read", "ok rule", "ok rule"));
        rows.put(
                "{\"decide\":\"allow\",\"when\":{\"effect\":[\"write\",\"unknown\"],\"arguments\":{\"required\":[\"repo\"]}}}",
                List.of("ok default read", "Denied default", "ok rule"));
        rows.put(
                "{\"decide\":\"deny\",\"when\":{\"arguments\":{\"properties\":{\"repo\":{\"const\":\"prod\"}},\"required\":[\"repo\"]}}}",
                List.of("ok default read", "Denied default", "Denied rule"));
        rows.put(
                "{\"decide\":\"allow\",\"when\":{\"caller\":\"somebody\"}}",
                List.of("ok default read", "Denied default", "Denied default"));
        rows.put(
                "{\"decide\":\"allow\",\"budget\":{\"calls\":\"1/d\"}}",
                List.of("Budget rule", "Budget rule", "Budget rule"));
        return rows;
    }

    @TempDir Path directory;
    private HttpUpstream remote;
    private TestProduct product;
    private String agent = "";

    @BeforeEach
    void open() throws Exception {
        remote = new HttpUpstream("forecast", "set_alarm");
        product =
                new TestProduct(
                        directory,
                        "upstreams.private_hosts=127.0.0.1",
                        "environments.bake=false",
                        "sandbox.detach_after=1s",
                        "policy.default=deny");
        var upstream = Json.object().put("id", "weather").put("url", remote.url());
        upstream.putObject("calls").putObject("forecast").put("effect", "read");
        ok("POST", "/v1/upstreams", upstream.put("approve", true));
        var wanted = Json.object().put("name", "agent");
        wanted.putArray("scopes").add("run").add("tools");
        agent = ok("POST", "/v1/keys", wanted).path("secret").stringValue();
    }

    @AfterEach
    void close() throws Exception {
        product.close();
        remote.close();
    }

    private JsonNode ok(String method, String path, ObjectNode body) throws Exception {
        var request = TestProduct.post(product.request(path), body);
        if (method.equals("PUT")) {
            request.PUT(BodyPublishers.ofString(Json.text(body)));
        }
        var answer = product.send(request);
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
        return Json.parse(answer.body());
    }

    /// What became of each of the calls, by a door.
    @FunctionalInterface
    private interface By {
        List<String> verdicts() throws Exception;
    }

    private Map<String, By> doors() {
        var doors = new LinkedHashMap<String, By>();
        doors.put("mcp by name", () -> each(this::byName));
        doors.put("mcp by tool_call", () -> each(this::byToolCall));
        doors.put("rest", () -> each(this::byRest));
        doors.put("sandbox", this::inside);
        doors.put("sandbox in a task", this::insideTask);
        return doors;
    }

    @FunctionalInterface
    private interface One {
        String verdict(Called call) throws Exception;
    }

    private static List<String> each(One one) throws Exception {
        var verdicts = new ArrayList<String>();
        for (var call : CALLS) {
            verdicts.add(one.verdict(call));
        }
        return verdicts;
    }

    private JsonNode mcp(boolean modern, String tool, ObjectNode arguments) throws Exception {
        var to = product.open("/mcp").header("Authorization", "Bearer " + agent);
        var params = McpMessages.tool(tool, arguments);
        var request =
                modern
                        ? McpMessages.modern(to, "tools/call", params)
                        : McpMessages.legacy(to, "tools/call", params);
        var answer = McpMessages.response(product.send(request).body()).path("result");
        assertThat(answer.isObject()).isTrue();
        return answer;
    }

    private static String verdict(JsonNode result) {
        return result.path("isError").asBoolean(false)
                ? result.at("/structuredContent/error").asString(result.toString())
                : "ok";
    }

    private String byName(Called call) throws Exception {
        return verdict(
                mcp(true, "weather__" + call.tool(), (ObjectNode) Json.parse(call.arguments())));
    }

    private String byToolCall(Called call) throws Exception {
        var arguments = Json.object().put("tool", "weather." + call.tool());
        arguments.set("arguments", Json.parse(call.arguments()));
        return verdict(mcp(false, "tool_call", arguments));
    }

    private String byRest(Called call) throws Exception {
        var body = Json.object();
        body.set("arguments", Json.parse(call.arguments()));
        var path = "/v1/tools/weather/%s/call".formatted(call.tool());
        var answer =
                product.send(
                        TestProduct.post(
                                product.open(path).header("Authorization", "Bearer " + agent),
                                body));
        return answer.statusCode() == 200
                ? "ok"
                : Json.parse(answer.body()).path("error").asString(answer.body());
    }

    private static ObjectNode program() {
        var calls =
                CALLS.stream()
                        .map(call -> "(\"%s\", %s)".formatted(call.tool(), call.arguments()))
                        .collect(Collectors.joining(", "));
        return Json.object()
                .put("language", "python")
                .put(
                        "code",
                        """
                        import caisson
                        from caisson.servers import weather
                        for tool, arguments in [%s]:
                            try:
                                getattr(weather, tool)(arguments)
                                print("ok")
                            except caisson.ToolError as error:
                                print(error.type)
                        """
                                .formatted(calls));
    }

    private List<String> inside() throws Exception {
        var answer =
                product.send(
                        TestProduct.post(
                                product.open("/v1/sandbox/execute")
                                        .header("Authorization", "Bearer " + agent),
                                program()));
        return printed(Json.parse(answer.body()));
    }

    private static List<String> printed(JsonNode report) {
        assertThat(report.path("stderr").asString("")).as(report.toString()).isEmpty();
        return report.path("stdout").asString("").lines().toList();
    }

    private List<String> insideTask() throws Exception {
        var lasting = program();
        lasting.put("code", "import time\ntime.sleep(3)\n" + lasting.path("code").stringValue());
        var params = McpMessages.withTasks(McpMessages.tool("sandbox_execute", lasting));
        var begun = modern("tools/call", params);
        assertThat(begun.path("resultType").asString("")).as(begun.toString()).isEqualTo("task");
        var id = Json.object().put("taskId", begun.path("taskId").asString());
        await().atMost(PATIENCE)
                .until(() ->
                        !modern("tasks/get", McpMessages.withTasks(id.deepCopy()))
                                .path("status")
                                .asString("")
                                .equals("working"));
        var ended = modern("tasks/get", McpMessages.withTasks(id.deepCopy()));
        return printed(ended.at("/result/structuredContent"));
    }

    private JsonNode modern(String method, ObjectNode params) throws Exception {
        var to = product.open("/mcp").header("Authorization", "Bearer " + agent);
        return McpMessages.response(product.send(McpMessages.modern(to, method, params)).body())
                .path("result");
    }

    /// Entries about the tools since that one, the oldest of them first.
    private List<JsonNode> since(long sequence) throws Exception {
        return product.get("/v1/ledger?limit=200&caller=agent")
                .path("entries")
                .valueStream()
                .filter(entry -> entry.path("tool").asString("").startsWith("weather/"))
                .filter(entry -> entry.path("sequence").asLong(0) > sequence)
                .toList()
                .reversed();
    }

    @Test
    void every_door_has_the_same_verdict_and_the_same_record() throws Exception {
        int cells = 0;
        var last = new AtomicLong();
        for (var row : ROWS.entrySet()) {
            if (!row.getKey().isEmpty()) {
                ok("PUT", "/v1/policy/rules/rule", ofWeather(row.getKey()));
            }
            if (row.getKey().contains("budget")) {
                assertThat(byRest(CALLS.getFirst())).isEqualTo("ok");
                await().atMost(PATIENCE).until(() -> !since(last.get()).isEmpty());
                last.set(since(last.get()).getLast().path("sequence").asLong(0));
            }
            var version = product.get("/v1/policy").path("version").stringValue();
            for (var door : doors().entrySet()) {
                var cell = row.getKey() + " by " + door.getKey();
                var wanted = row.getValue().stream().map(each -> each.split(" ", 2)).toList();
                assertThat(door.getValue().verdicts())
                        .as(cell)
                        .isEqualTo(wanted.stream().map(each -> each[0]).toList());
                await().atMost(PATIENCE).until(() -> since(last.get()).size() >= CALLS.size());
                var entries = since(last.get());
                assertThat(entries).as(cell).hasSize(CALLS.size());
                for (int i = 0; i < CALLS.size(); i++) {
                    var entry = entries.get(i);
                    assertThat(recorded(entry))
                            .as(cell)
                            .isEqualTo(
                                    "weather/%s %s %s %s %s"
                                            .formatted(
                                                    CALLS.get(i).tool(),
                                                    door.getKey().replaceAll(" .*", ""),
                                                    status(wanted.get(i)[0]),
                                                    wanted.get(i)[1],
                                                    version));
                    cells++;
                }
                last.set(entries.getLast().path("sequence").asLong(0));
            }
        }
        assertThat(cells).isEqualTo(ROWS.size() * doors().size() * CALLS.size()).isEqualTo(120);
    }

    /// Other tools, such as those that run programs and call tools, are left alone.
    private static ObjectNode ofWeather(String text) {
        var rule = (ObjectNode) Json.parse(text);
        rule.withObject("/when").put("server", "weather");
        return rule;
    }

    private static String status(String verdict) {
        return switch (verdict) {
            case "ok" -> "success";
            case "Denied" -> "refused:denied";
            case "Budget" -> "refused:quota_exceeded";
            default -> throw new AssertionError(verdict);
        };
    }

    private static String recorded(JsonNode entry) {
        return "%s %s %s %s %s"
                .formatted(
                        entry.path("tool").asString(""),
                        entry.path("door").asString(""),
                        entry.path("status").asString(""),
                        entry.path("rule").asString(""),
                        entry.path("policy").asString(""));
    }
}
