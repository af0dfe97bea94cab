package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.telemetry.LogCapture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Upstreams from a file, over standard input and output and over HTTP, through the whole product.
@Tag("root")
@Timeout(180)
class UpstreamProductTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOKEN = "correct-horse-battery-staple";

    /// What is in the host's `/tmp` cannot be shown.
    static final class OutsideTmp implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension)
                throws IOException {
            return Files.createTempDirectory(
                    Files.createDirectories(Path.of("/opt")), "upstreams-");
        }
    }

    @TempDir Path directory;

    @TempDir(factory = OutsideTmp.class)
    Path shown;

    private HttpUpstream remote;
    private Path file;

    @BeforeEach
    void open() throws IOException {
        Files.setPosixFilePermissions(shown, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (var script = UpstreamProductTest.class.getResourceAsStream("notes-server.py")) {
            assertThat(script).isNotNull();
            Files.copy(script, shown.resolve("server.py"));
        }
        remote = new HttpUpstream("forecast", "setAlarm");
        file = directory.resolve("upstreams.yaml");
        Files.writeString(file, entries());
    }

    @AfterEach
    void close() throws IOException {
        remote.close();
    }

    private String entries() {
        return """
        my-notes:
          title: Notes
          command: [python3, %s/server.py]
          trust: trusted
          env: {TOKEN: "${secret:token}"}
          show: [%s]
          memory_bytes: 128MiB
        1weather:
          url: %s
          credentials: {kind: header, headers: {Authorization: "Bearer ${secret:token}"}}
          calls: {forecast: {effect: read}}
        """
                .formatted(shown, shown, remote.url());
    }

    private String[] settings() {
        return new String[] {
            "upstreams.file=" + file,
            "upstreams.private_hosts=127.0.0.1",
            "environments.bake=false",
            "policy.default=deny"
        };
    }

    private TestProduct product() throws Exception {
        var product = new TestProduct(directory, settings());
        var set =
                product.request("/v1/secrets/token")
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofString(Json.text(Json.object().put("value", TOKEN))));
        assertThat(product.send(set).statusCode()).isEqualTo(200);
        product.server.core.upstreams.upstreams.restart("my-notes");
        product.server.core.upstreams.upstreams.restart("1weather");
        return product;
    }

    private static String key(TestProduct product, String... scopes) throws Exception {
        var wanted = Json.object().put("name", "runner");
        var list = wanted.putArray("scopes");
        List.of(scopes).forEach(list::add);
        var made = product.send(TestProduct.post(product.request("/v1/keys"), wanted));
        return Json.parse(made.body()).get("secret").stringValue();
    }

    private static JsonNode mcp(
            TestProduct product, String key, boolean modern, String tool, ObjectNode arguments)
            throws Exception {
        var to = product.open("/mcp").header("Authorization", "Bearer " + key);
        var params = McpMessages.tool(tool, arguments);
        var request =
                modern
                        ? McpMessages.modern(to, "tools/call", params)
                        : McpMessages.legacy(to, "tools/call", params);
        return McpMessages.response(product.send(request).body()).path("result");
    }

    private static List<String> found(TestProduct product, String key, String query)
            throws Exception {
        var answer = mcp(product, key, true, "tool_search", Json.object().put("query", query));
        return answer.path("structuredContent")
                .path("tools")
                .valueStream()
                .map(tool -> tool.path("tool").stringValue())
                .toList();
    }

    private static ObjectNode call(String tool, String arguments) {
        var call = Json.object().put("tool", tool);
        call.set("arguments", Json.parse(arguments));
        return call;
    }

    private static void awaitTools(TestProduct product, String key) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> {
                    assertThat(found(product, key, "list notes")).contains("my_notes.list_notes");
                    assertThat(found(product, key, "weather city")).contains("t_1weather.forecast");
                });
    }

    @Test
    void tools_of_others_are_found_and_called_by_models_and_programs() throws Exception {
        try (var log = new LogCapture();
                var product = product()) {
            var key = key(product, "run", "tools");
            awaitTools(product, key);
            for (var modern : List.of(true, false)) {
                var notes =
                        mcp(product, key, modern, "tool_call", call("my_notes.list_notes", "{}"));
                assertThat(notes.toString()).contains("\\\"notes\\\": []");
                var rain =
                        mcp(product, key, modern, "tool_call", call("t_1weather.forecast", "{}"));
                assertThat(rain.toString()).contains("rain; you sent ").doesNotContain(TOKEN);
                var token =
                        mcp(product, key, modern, "tool_call", call("my_notes.show_token", "{}"));
                assertThat(token.toString()).contains("the token is ").doesNotContain(TOKEN);
                for (var changing :
                        List.of(
                                call("my_notes.add_note", "{\"text\": \"x\"}"),
                                call("t_1weather.set_alarm", "{}"))) {
                    var denied = mcp(product, key, modern, "tool_call", changing);
                    assertThat(denied.path("isError").asBoolean()).isTrue();
                    assertThat(denied.at("/structuredContent/error").asString(""))
                            .as(denied.toString())
                            .isEqualTo("Denied");
                }
            }
            assertThat(remote.server.requests())
                    .anyMatch(request -> request.header("authorization").equals("Bearer " + TOKEN));
            assertProgram(product, key);
            assertThat(product.get("/v1/ledger?limit=200").toString())
                    .contains("my_notes/list-notes", "\"door\":\"sandbox\"")
                    .doesNotContain(TOKEN);
            assertThat(log.text()).doesNotContain(TOKEN);
            assertThat(product.send(product.request("/metrics")).body())
                    .contains(
                            "caisson_tool_calls_total{outcome=\"ok\",tool=\"\",upstream=\"my_notes\"}")
                    .contains(
                            "caisson_tool_calls_total{outcome=\"denied\",tool=\"\",upstream=\"t_1weather\"}")
                    .contains("caisson_tool_call_seconds_count{tool=\"\",upstream=\"my_notes\"}")
                    .contains("caisson_upstream_state{state=\"ready\",upstream=\"t_1weather\"} 1.0")
                    .contains("caisson_upstream_messages_dropped_total{upstream=\"my_notes\"} 0.0")
                    .doesNotContain("list_notes");
            assertThat(directory.resolve("data/upstreams/my-notes")).isDirectory();
        }
        assertThat(alive(shown + "/server.py")).isEmpty();
    }

    private void assertProgram(TestProduct product, String key) throws Exception {
        var program =
                Json.object()
                        .put("language", "python")
                        .put(
                                "code",
                                """
                                import caisson
                                from caisson.servers import my_notes, t_1weather
                                print(my_notes.list_notes()["notes"], t_1weather.forecast()[:4])
                                try:
                                    my_notes.add_note(text="x")
                                except caisson.ToolError as error:
                                    print(error.type)
                                """);
        var request =
                TestProduct.post(
                        product.open("/v1/sandbox/execute")
                                .header("Authorization", "Bearer " + key),
                        program);
        var answer = Json.parse(product.send(request).body());
        assertThat(answer.path("stdout").asString(""))
                .as(answer.toString())
                .isEqualTo("[] rain\nDenied\n");
    }

    @Test
    void a_key_without_the_scope_sees_and_calls_none() throws Exception {
        try (var product = product()) {
            awaitTools(product, product.key);
            var key = key(product, "run");
            assertThat(found(product, key, "list notes weather city"))
                    .noneMatch(name -> name.startsWith("my_notes") || name.startsWith("t_1"));
            var refused = mcp(product, key, true, "tool_call", call("my_notes.list_notes", "{}"));
            assertThat(refused.toString()).contains("UnknownTool");
        }
    }

    @Test
    void a_mistake_is_told_and_leaves_what_was_read_last() throws Exception {
        try (var log = new LogCapture();
                var product = product()) {
            awaitTools(product, product.key);
            Files.writeString(file, entries() + "  network: {allow: []}\nthird: {}\n");
            await().atMost(PATIENCE).until(() -> log.text().contains("third: url is missing"));
            assertThat(log.text())
                    .contains("not used until it is corrected", "1weather: network has no");
            awaitTools(product, product.key);
        }
        assertThatThrownBy(() -> new TestProduct(directory, settings()).close())
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("upstreams.file")
                .hasMessageContaining("third: url is missing");
    }

    @Test
    void what_a_service_keeps_is_there_after_a_restart() throws Exception {
        String key;
        int before;
        try (var product = product()) {
            key = product.key;
            awaitTools(product, key);
            before = starts(product, key);
        }
        try (var product = new TestProduct(directory, settings())) {
            awaitTools(product, key);
            assertThat(starts(product, key)).isGreaterThan(before);
        }
    }

    /// How often the service was started, as it wrote it to its own directory.
    private static int starts(TestProduct product, String key) throws Exception {
        var told = mcp(product, key, true, "tool_call", call("my_notes.list_notes", "{}"));
        var text = told.at("/content/0/text").asString("{}");
        var starts = Json.parse(text).path("starts").asInt(0);
        assertThat(starts).as(told.toString()).isPositive();
        return starts;
    }

    @Test
    void a_server_that_is_killed_leaves_no_service() throws Exception {
        Files.writeString(file, entries().replace("${secret:token}", "x"));
        try (var child =
                new ChildServer(
                        directory.resolve("child"),
                        Duration.ofSeconds(30),
                        List.of(),
                        List.of(settings()))) {
            await().atMost(PATIENCE)
                    .until(() ->
                            child.call(
                                            "tools/call",
                                            "tool_call",
                                            "\"name\": \"tool_call\", \"arguments\": {\"tool\": \"my_notes.list_notes\"}")
                                    .toString()
                                    .contains("starts"));
            assertThat(alive(shown + "/server.py")).isNotEmpty();
        }
        await().atMost(PATIENCE).until(() -> alive(shown + "/server.py").isEmpty());
    }

    /// Command lines of this machine that have such a part.
    static List<String> alive(String part) throws IOException {
        try (var processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(each -> each.getFileName().toString().matches("\\d+"))
                    .map(UpstreamProductTest::commandLine)
                    .filter(line -> line.contains(part))
                    .toList();
        }
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline")).replace('\0', ' ');
        } catch (IOException | UncheckedIOException gone) {
            return "";
        }
    }
}
