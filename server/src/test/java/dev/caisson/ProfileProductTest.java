package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Profiles from outside: set over REST, followed by MCP and REST, with real sandboxes.
@Tag("root")
@Timeout(180)
class ProfileProductTest {
    private static final String SECRET = "correct-horse-battery-staple";

    @TempDir static Path directory;
    private static TestProduct product;

    @BeforeAll
    static void start() throws Exception {
        product =
                new TestProduct(
                        directory,
                        "tools.disabled=run_code,files_delete",
                        "profiles.fixed.memory_bytes=64MiB",
                        "profiles.fixed.memory_bytes_max=128MiB",
                        "profiles.fixed.default_language=bash");
    }

    @AfterAll
    static void stop() {
        product.close();
    }

    private static HttpRequest.Builder by(String key, String path) {
        return product.open(path).header("Authorization", "Bearer " + key);
    }

    private static HttpResponse<String> put(String key, String name, String json) throws Exception {
        return product.send(
                by(key, "/v1/profiles/" + name)
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofString(json)));
    }

    private static void set(String name, String json) throws Exception {
        var answer = put(product.key, name, json);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    /// A key of little right.
    private static String key(String profile, String... more) throws Exception {
        var body =
                "{\"name\":\"k\",\"profile\":\"%s\"%s}".formatted(profile, String.join("", more));
        var answer = product.send(TestProduct.post(product.request("/v1/keys"), Json.parse(body)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return Json.parse(answer.body()).get("secret").stringValue();
    }

    private static HttpResponse<String> execute(String key, String body) throws Exception {
        return product.send(TestProduct.post(by(key, "/v1/sandbox/execute"), Json.parse(body)));
    }

    private static String stdout(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.parse(answer.body()).get("stdout").stringValue();
    }

    private static JsonNode mcp(String key, String method, String params) throws Exception {
        var answer =
                product.send(
                        McpMessages.modern(
                                by(key, "/mcp"), method, (ObjectNode) Json.parse(params)));
        return McpMessages.messages(answer.body())
                .filter(message -> message.has("id"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_program_has_the_limits_of_the_profile_and_a_call_asks_for_up_to_its_maximum()
            throws Exception {
        var key = key("fixed");
        var eater = "x=$(head -c 90000000 /dev/zero | tr '\\\\0' a); echo ${#x}";

        var little = execute(key, "{\"code\":\"" + eater + "\"}");
        assertThat(Json.parse(little.body()).get("status").stringValue())
                .as(little.body())
                .isEqualTo("oom");
        var tooMuch = execute(key, "{\"code\":\"echo 1\",\"limits\":{\"memory_mib\":129}}");
        assertThat(tooMuch.statusCode()).isEqualTo(400);
        assertThat(tooMuch.body()).contains("memory_mib").contains("128");

        var shown = Json.parse(product.send(by(key, "/v1/runners")).body()).get("limits");
        assertThat(shown.get("memory_bytes").longValue()).isEqualTo(64 << 20);
        assertThat(shown.get("memory_bytes_max").longValue()).isEqualTo(128 << 20);
        var listed = mcp(key, "tools/list", "{}").toString();
        assertThat(listed).contains("\"memory_mib\"").contains("64 MiB of memory");
        assertThat(mcp(product.key, "tools/list", "{}").toString())
                .doesNotContain("\"memory_mib\"")
                .contains("512 MiB of memory");
    }

    @Test
    void secrets_go_in_and_never_come_out() throws Exception {
        set(
                "vault",
                "{\"env_vars\":{\"PLACE\":\"north\"},\"secret_env_vars\":{\"VAULT\":\"%s\"}}"
                        .formatted(SECRET));
        var key = key("vault", ",\"env_vars\":{\"PLACE\":\"south\"}");
        var out =
                stdout(
                        execute(
                                key,
                                "{\"language\":\"bash\",\"code\":\"echo $PLACE ${#VAULT} $VAULT\"}"));
        assertThat(out).startsWith("south " + SECRET.length() + " ").doesNotContain(SECRET);

        set("vault", "{\"keep_secret_env_vars\":[\"VAULT\"]}");
        assertThat(stdout(execute(key, "{\"language\":\"bash\",\"code\":\"echo ${#VAULT}\"}")))
                .startsWith("" + SECRET.length());
        for (var path : List.of("/v1/profiles", "/v1/profiles/vault", "/v1/ledger", "/v1/keys")) {
            var shown = product.send(product.request(path));
            assertThat(shown.statusCode()).isEqualTo(200);
            assertThat(shown.body()).doesNotContain(SECRET);
        }
        assertThat(product.get("/v1/profiles/vault").get("secret_env_vars").toString())
                .isEqualTo("[\"VAULT\"]");
    }

    @Test
    void a_key_of_little_right_sees_and_changes_no_profile() throws Exception {
        var key = key("fixed");
        assertThat(put(key, "fixed", "{}").statusCode()).isEqualTo(403);
        assertThat(put(key, "mine", "{\"cpus\":64.0}").statusCode()).isEqualTo(403);
        for (var path : List.of("/v1/profiles", "/v1/profiles/fixed")) {
            assertThat(product.send(by(key, path)).statusCode()).isEqualTo(403);
        }
        assertThat(product.send(by(key, "/v1/profiles/fixed").DELETE()).statusCode())
                .isEqualTo(403);
        var chosen =
                product.send(
                        TestProduct.post(
                                by(key, "/v1/keys"),
                                Json.object().put("name", "x").put("profile", "default")));
        assertThat(chosen.statusCode()).isEqualTo(403);
        var asked = execute(key, "{\"code\":\"echo 1\",\"profile\":\"default\"}");
        assertThat(asked.statusCode()).isEqualTo(400);
    }

    @Test
    void a_profile_of_the_configuration_and_one_in_use_stay() throws Exception {
        assertThat(put(product.key, "fixed", "{}").statusCode()).isEqualTo(403);
        set("used", "{}");
        key("used");
        var refused = product.send(product.request("/v1/profiles/used").DELETE());
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("1 key has the profile used");
        set("free", "{}");
        assertThat(product.send(product.request("/v1/profiles/free").DELETE()).statusCode())
                .isEqualTo(204);
        var gone =
                product.send(
                        TestProduct.post(
                                product.request("/v1/keys"),
                                Json.object().put("name", "x").put("profile", "free")));
        assertThat(gone.statusCode()).isEqualTo(400);
        assertThat(product.get("/v1/ledger").toString()).contains("profile_set", "profile_remove");
    }

    @Test
    void a_quota_refuses_with_the_time_when_it_is_free_however_many_call_at_once()
            throws Exception {
        set("meter", "{\"runs_per_minute\":3}");
        var key = key("meter");
        var calls = new ArrayList<Callable<HttpResponse<String>>>();
        for (int i = 0; i < 12; i++) {
            calls.add(() -> execute(key, "{\"language\":\"bash\",\"code\":\"echo 1\"}"));
        }
        var answers = new ArrayList<HttpResponse<String>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var call : threads.invokeAll(calls)) {
                answers.add(call.get());
            }
        }
        // The minute may end in the middle.
        assertThat(answers.stream().filter(one -> one.statusCode() == 200).count())
                .isBetween(3L, 6L);
        var refused = answers.stream().filter(one -> one.statusCode() == 429).toList();
        assertThat(refused).isNotEmpty();
        var one = refused.getFirst();
        assertThat(Long.parseLong(one.headers().firstValue("Retry-After").orElseThrow()))
                .isBetween(1L, 60L);
        assertThat(one.body()).contains("quota_exceeded", "3 runs per minute", "free_at");

        for (int i = 0; i < 8; i++) {
            var told =
                    mcp(
                                    key,
                                    "tools/call",
                                    "{\"name\":\"sandbox_execute\",\"arguments\":{\"language\":\"bash\",\"code\":\"echo 1\"}}")
                            .path("result");
            if (told.path("isError").asBoolean(false)) {
                assertThat(told.path("structuredContent").toString())
                        .contains("\"quota_exceeded\"", "\"retryable\":true", "retry_after_ms");
                return;
            }
        }
        throw new AssertionError("eight calls in a minute of three runs");
    }

    @Test
    void bytes_of_uploads_and_output_are_limited() throws Exception {
        set("bytes", "{\"bytes_per_day\":1000}");
        var key = key("bytes");
        var upload =
                "{\"name\":\"files_upload\",\"arguments\":{\"source\":\"thread\",\"id\":\"t\",\"path\":\"a\",\"content\":\"%s\"}}";
        var much = mcp(key, "tools/call", upload.formatted("x".repeat(1001))).toString();
        assertThat(much).contains("1000 bytes per day");
        assertThat(mcp(key, "tools/call", upload.formatted("x".repeat(500))).toString())
                .doesNotContain("\"isError\":true");
        stdout(
                execute(
                        key,
                        "{\"language\":\"bash\",\"code\":\"head -c 600 /dev/zero | tr '\\\\0' a\"}"));
        assertThat(execute(key, "{\"language\":\"bash\",\"code\":\"echo\"}").statusCode())
                .isEqualTo(429);
    }

    @Test
    void a_change_is_news_to_its_callers_and_holds_for_the_next_call() throws Exception {
        set("live", "{\"timeout_seconds\":20}");
        var key = key("live");
        try (var heard = listening(key);
                var others = listening(product.key)) {
            var lines = heard.iterator();
            await(lines, "acknowledged");
            var other = others.iterator();
            await(other, "acknowledged");

            set("live", "{\"timeout_seconds\":10,\"toolsets\":[\"core\"]}");
            await(lines, "notifications/tools/list_changed");

            assertThat(mcp(key, "tools/list", "{}").toString())
                    .contains("sandbox_execute")
                    .doesNotContain("files_list");
            assertThat(
                            Json.parse(product.send(by(key, "/v1/runners")).body())
                                    .get("limits")
                                    .get("timeout_seconds")
                                    .longValue())
                    .isEqualTo(10);
            set("default", "{\"timeout_seconds\":25}");
            await(other, "notifications/tools/list_changed");
            product.send(product.request("/v1/profiles/default").DELETE());
        }
    }

    @Test
    void a_disabled_tool_is_unknown_by_every_name_and_its_routes_are_gone() throws Exception {
        assertThat(mcp(product.key, "tools/list", "{}").toString())
                .contains("sandbox_execute")
                .doesNotContain("\"name\":\"run_code\"")
                .doesNotContain("\"name\":\"files_delete\"");
        for (var name : List.of("run_code", "sandbox.run_code", "files_delete")) {
            var refused =
                    mcp(
                            product.key,
                            "tools/call",
                            "{\"name\":\"%s\",\"arguments\":{}}".formatted(name));
            assertThat(refused.path("error").path("code").intValue()).isEqualTo(-32602);
            assertThat(refused.toString()).contains("Unknown tool");
        }
        assertThat(product.get("/v1/openapi.json").toString()).doesNotContain("deleteFile");
        assertThat(product.send(product.request("/v1/threads/x").DELETE()).statusCode())
                .isIn(404, 405);
    }

    private static Stream<String> listening(String key) throws Exception {
        var answer =
                product.lines(
                        McpMessages.modern(
                                by(key, "/mcp"),
                                "subscriptions/listen",
                                McpMessages.toolChanges()));
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.body();
    }

    private static void await(Iterator<String> lines, String word) {
        while (lines.hasNext()) {
            if (lines.next().contains(word)) {
                return;
            }
        }
        throw new AssertionError("the stream ended without " + word);
    }
}
