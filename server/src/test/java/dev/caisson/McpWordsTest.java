package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.caisson.json.Json;
import dev.caisson.telemetry.LogCapture;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What the product says over MCP and in its log, with real keys and real sandboxes.
@Tag("root")
@Timeout(180)
class McpWordsTest {
    private static final String INITIALIZE =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
                    + "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}}";

    @TempDir Path directory;

    private static HttpRequest.Builder mcp(TestProduct product, String key) {
        return product.open("/mcp")
                .header("Authorization", "Bearer " + key)
                .header("Accept", "application/json, text/event-stream");
    }

    private static JsonNode answer(TestProduct product, HttpRequest.Builder request)
            throws Exception {
        var body = product.send(request).body();
        var json =
                body.startsWith("{")
                        ? body
                        : body.lines()
                                .filter(line -> line.startsWith("data: {"))
                                .reduce((_, last) -> last)
                                .orElseThrow()
                                .substring("data: ".length());
        return Json.parse(json);
    }

    private static JsonNode greeting(TestProduct product, String key) throws Exception {
        return answer(product, TestProduct.post(mcp(product, key), Json.parse(INITIALIZE)))
                .path("result");
    }

    private static JsonNode discovery(TestProduct product, String key) throws Exception {
        var to = product.open("/mcp").header("Authorization", "Bearer " + key);
        var request = McpMessages.modern(to, "server/discover", Json.object());
        return answer(product, request).path("result");
    }

    private static String key(TestProduct product, ObjectNode wanted) throws Exception {
        var made = product.send(TestProduct.post(product.request("/v1/keys"), wanted));
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        return Json.parse(made.body()).get("secret").stringValue();
    }

    private static JsonNode call(TestProduct product, String key, String tool, ObjectNode arguments)
            throws Exception {
        var message = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tools/call");
        message.putObject("params").put("name", tool).set("arguments", arguments);
        return answer(product, TestProduct.post(mcp(product, key), message));
    }

    @Test
    void instructions_name_the_tools_this_caller_sees_and_how_to_work_here() throws Exception {
        try (var product = new TestProduct(directory)) {
            var files = Json.object().put("name", "files only");
            files.putArray("scopes").add("files_read");
            var reader = key(product, files);
            for (var said :
                    List.of(greeting(product, product.key), discovery(product, product.key))) {
                assertThat(said.path("instructions").stringValue())
                        .contains("sandbox_execute")
                        .contains("files_list")
                        .contains("thread_id")
                        .contains("session: true")
                        .contains("No network")
                        .contains("python ");
                assertThat(said.path("capabilities").has("prompts")).isTrue();
                assertThat(
                                said.path("capabilities")
                                        .path("tools")
                                        .path("listChanged")
                                        .booleanValue())
                        .isTrue();
            }
            for (var said : List.of(greeting(product, reader), discovery(product, reader))) {
                assertThat(said.path("instructions").stringValue())
                        .contains("files_list")
                        .doesNotContain("sandbox_execute")
                        .doesNotContain("files_upload");
            }
        }
    }

    @Test
    void a_strict_key_is_told_of_invalid_arguments_by_the_protocol() throws Exception {
        try (var product = new TestProduct(directory)) {
            var strict = key(product, Json.object().put("name", "s").put("strict_params", true));
            for (var wrong :
                    List.of(
                            Json.object(),
                            Json.object().put("code", 1),
                            Json.object().put("x", 1))) {
                var plain = call(product, product.key, "sandbox_execute", wrong);
                assertThat(plain.path("result").path("isError").booleanValue()).isTrue();
                var error = call(product, strict, "sandbox_execute", wrong).path("error");
                assertThat(error.path("code").intValue()).isEqualTo(-32602);
                assertThat(error.path("message").stringValue()).contains("sandbox_execute");
                assertThat(error.path("data").path("complaints").isEmpty()).isFalse();
            }
            var failing = TestProduct.bash("exit 3");
            var failed = call(product, strict, "sandbox_execute", failing).path("result");
            assertThat(failed.path("isError").booleanValue()).isTrue();
        }
    }

    @Test
    void the_setting_makes_every_caller_strict() throws Exception {
        try (var product = new TestProduct(directory, "mcp.strict_params=true")) {
            var error = call(product, product.key, "sandbox_execute", Json.object()).path("error");
            assertThat(error.path("code").intValue()).isEqualTo(-32602);
        }
    }

    @Test
    void the_line_of_a_call_names_tool_execution_and_status_and_sandboxes_have_theirs()
            throws Exception {
        var sandboxes = (Logger) LoggerFactory.getLogger("dev.caisson.sandbox");
        sandboxes.setLevel(Level.DEBUG);
        try (var log = new LogCapture();
                var product = new TestProduct(directory)) {
            var program = TestProduct.bash("echo a-secret-program; exit 3");
            var overMcp = call(product, product.key, "sandbox_execute", program);
            var first = overMcp.path("result").path("structuredContent");
            var overRest = Json.parse(product.send(product.execute(program)).body());
            for (var report : List.of(first, overRest)) {
                var id = report.path("execution_id").stringValue();
                await().atMost(Duration.ofSeconds(60)).until(() -> line(log, id).isPresent());
                var line = line(log, id).orElseThrow();
                assertThat(line.path("tool").stringValue()).isEqualTo("sandbox_execute");
                assertThat(line.path("tool_status").stringValue()).isEqualTo("failed");
                assertThat(line.path("status").intValue()).isEqualTo(200);
                var run = line(log, "dev.caisson.run", id).orElseThrow();
                assertThat(run.path("language").stringValue()).isEqualTo("bash");
                assertThat(run.path("outcome").stringValue()).isEqualTo("failed");
                assertThat(run.path("exit_code").intValue()).isEqualTo(3);
                assertThat(run.has("ms")).isTrue();
            }
            for (var word : List.of("sandbox made", "sandbox ended", "sandbox removed")) {
                await().atMost(Duration.ofSeconds(60)).until(() -> log.text().contains(word));
            }
            assertThat(log.text()).doesNotContain("a-secret-program").doesNotContain(product.key);
        } finally {
            sandboxes.setLevel(null);
        }
    }

    private static Optional<JsonNode> line(LogCapture log, String execution) {
        return line(log, "dev.caisson.call", execution);
    }

    private static Optional<JsonNode> line(LogCapture log, String logger, String execution) {
        return log.text()
                .lines()
                .filter(line -> line.contains(logger) && line.contains(execution))
                .map(Json::parse)
                .findFirst();
    }
}
