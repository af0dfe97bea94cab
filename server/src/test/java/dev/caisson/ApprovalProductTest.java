package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.cli.Caisson;
import dev.caisson.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Calls wait for a person at every door, and a person decides over REST or on the command line.
@Tag("root")
@Timeout(180)
class ApprovalProductTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir Path directory;
    private HttpUpstream remote;
    private TestProduct product;
    private String agent = "";

    @BeforeEach
    void open() throws Exception {
        remote = new HttpUpstream("set_alarm");
        product =
                new TestProduct(
                        directory,
                        "upstreams.private_hosts=127.0.0.1",
                        "environments.bake=false",
                        "approvals.client_wait=1s");
        var upstream = Json.object().put("id", "weather").put("url", remote.url());
        ok(product.key, "POST", "/v1/upstreams", upstream.put("approve", true));
        agent = key("agent", "run", "tools");
    }

    @AfterEach
    void close() throws IOException {
        product.close();
        remote.close();
    }

    private HttpResponse<String> send(String key, String method, String path, ObjectNode body)
            throws Exception {
        return product.send(
                product.open(path)
                        .header("Authorization", "Bearer " + key)
                        .header("Content-Type", "application/json")
                        .method(
                                method,
                                method.equals("GET")
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(Json.text(body))));
    }

    private JsonNode ok(String key, String method, String path, ObjectNode body) throws Exception {
        var answer = send(key, method, path, body);
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
        return Json.parse(answer.body());
    }

    private JsonNode get(String path) throws Exception {
        return ok(product.key, "GET", path, Json.object());
    }

    private String key(String name, String... scopes) throws Exception {
        var wanted = Json.object().put("name", name);
        List.of(scopes).forEach(wanted.putArray("scopes")::add);
        return ok(product.key, "POST", "/v1/keys", wanted).path("secret").stringValue();
    }

    private HttpResponse<String> call(String repo) throws Exception {
        var body = Json.object();
        body.putObject("arguments").put("repo", repo);
        return send(agent, "POST", "/v1/tools/weather/set_alarm/call", body);
    }

    private static ObjectNode decision(String word) {
        return Json.object().put("decision", word);
    }

    private String awaitPending() {
        await().atMost(PATIENCE).until(() -> get("/v1/approvals").path("approvals").size() == 1);
        try {
            return get("/v1/approvals").at("/approvals/0/id").stringValue();
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    private CompletableFuture<HttpResponse<String>> program(String code) {
        var program = Json.object().put("language", "python").put("code", code);
        var request =
                TestProduct.post(
                        product.open("/v1/sandbox/execute")
                                .header("Authorization", "Bearer " + agent),
                        program);
        return product.http.sendAsync(request.build(), BodyHandlers.ofString());
    }

    private static final String ALARM =
            """
            import caisson
            from caisson.servers import weather
            try:
                print(weather.set_alarm(repo="x")[:4])
            except caisson.ToolError as error:
                print(error.type, error)
            """;

    private record Ended(int code, String out, String err) {}

    private Ended run(String... args) {
        var all = new ArrayList<String>(List.of("approvals"));
        all.addAll(List.of(args));
        all.addAll(List.of("--data", directory.resolve("data").toString()));
        var out = new StringWriter();
        var err = new StringWriter();
        var code =
                Caisson.run(
                        new Commands(Clock.systemUTC()),
                        new PrintWriter(out, true),
                        new PrintWriter(err, true),
                        all.toArray(String[]::new));
        assertThat(out + err.toString()).doesNotContain("Exception");
        return new Ended(code, out.toString(), err.toString());
    }

    @Test
    void a_direct_call_is_told_that_it_waits_and_is_made_after_the_approval() throws Exception {
        var waits = call("x");
        assertThat(waits.statusCode()).as(waits.body()).isEqualTo(202);
        var body = Json.parse(waits.body());
        assertThat(body.path("status").stringValue()).isEqualTo("waiting_approval");
        assertThat(body.path("retryable").booleanValue()).isTrue();
        var id = body.at("/details/approval_id").stringValue();
        assertThat(body.at("/details/approvals/0/url").stringValue())
                .isEqualTo("/v1/approvals/" + id);
        var shown = get("/v1/approvals/" + id).path("approval");
        assertThat(shown.path("tool").stringValue()).isEqualTo("weather/set_alarm");
        assertThat(shown.path("caller_name").stringValue()).isEqualTo("agent");
        assertThat(shown.at("/arguments/repo").stringValue()).isEqualTo("x");
        assertThat(shown.path("rule").stringValue()).isEqualTo("default");

        assertThat(send(agent, "POST", "/v1/approvals/" + id, decision("approve")).statusCode())
                .isEqualTo(403);
        assertThat(send(agent, "GET", "/v1/approvals/" + id, Json.object()).statusCode())
                .isEqualTo(200);
        var stranger = key("stranger", "tools");
        assertThat(send(stranger, "GET", "/v1/approvals/" + id, Json.object()).statusCode())
                .isEqualTo(404);

        var approved = ok(product.key, "POST", "/v1/approvals/" + id, decision("approve"));
        assertThat(approved.path("state").stringValue()).isEqualTo("approved");
        assertThat(approved.path("decided_by").stringValue()).isEqualTo("admin");
        assertThat(send(product.key, "POST", "/v1/approvals/" + id, decision("deny")).statusCode())
                .isEqualTo(409);
        assertThat(call("y").statusCode()).isEqualTo(202);
        assertThat(call("x").statusCode()).isEqualTo(200);
        assertThat(call("x").statusCode()).isEqualTo(202);
        assertThat(get("/v1/approvals?state=all&limit=1").path("approvals")).hasSize(1);
        var next = get("/v1/approvals?state=all&limit=1").path("next_cursor").stringValue();
        assertThat(get("/v1/approvals?state=all&cursor=" + next).path("approvals")).hasSize(2);
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(product.get("/v1/ledger?limit=200").toString())
                                .contains(
                                        "\"approval\":\"pending\"",
                                        "\"approval\":\"approved\"",
                                        "refused:waiting_approval",
                                        "approval_decide"));
    }

    @Test
    void a_key_with_the_scope_decides_on_its_own_calls_too() throws Exception {
        var body = Json.object();
        body.putObject("arguments");
        var path = "/v1/tools/weather/set_alarm/call";
        assertThat(send(product.key, "POST", path, body).statusCode()).isEqualTo(202);
        ok(product.key, "POST", "/v1/approvals/" + awaitPending(), decision("approve"));
        assertThat(send(product.key, "POST", path, body).statusCode()).isEqualTo(200);
    }

    @Test
    void a_person_is_shown_no_secret() throws Exception {
        var secret = "ghp_" + "a1B2c3D4e5".repeat(4).substring(0, 36);
        assertThat(call(secret).statusCode()).isEqualTo(202);
        var shown = get("/v1/approvals/" + awaitPending()).toString();
        assertThat(shown).contains("repo").doesNotContain(secret);
    }

    @Test
    void over_mcp_it_is_no_error() throws Exception {
        for (var name : List.of("tool_call", "weather__set_alarm")) {
            var arguments = Json.object();
            if (name.equals("tool_call")) {
                arguments.put("tool", "weather.set_alarm").putObject("arguments");
            }
            var answer =
                    product.send(
                            McpMessages.modern(
                                    product.open("/mcp").header("Authorization", "Bearer " + agent),
                                    "tools/call",
                                    McpMessages.tool(name, arguments)));
            var result = McpMessages.response(answer.body()).path("result");
            assertThat(result.path("isError").booleanValue()).as(answer.body()).isFalse();
            assertThat(result.at("/structuredContent/status").asString(""))
                    .as(answer.body())
                    .isEqualTo("waiting_approval");
            assertThat(result.at("/content/0/text").stringValue())
                    .contains("waits for the approval");
        }
        assertThat(get("/v1/approvals").path("approvals")).hasSize(1);
    }

    @Test
    void a_program_waits_for_the_decision_and_hears_of_it() throws Exception {
        var running = program(ALARM);
        var id = awaitPending();
        assertThat(get("/v1/approvals").at("/approvals/0/at/line").intValue()).isEqualTo(4);
        var listed = run("list");
        assertThat(listed.out()).contains(id, "weather/set_alarm", "{\"repo\":\"x\"}", "agent");
        assertThat(run("approve", id).out()).contains("weather/set_alarm is approved.");
        var report = Json.parse(running.get(60, TimeUnit.SECONDS).body());
        assertThat(report.path("stdout").stringValue()).as(report.toString()).isEqualTo("rain\n");
        assertThat(report.path("approval_state").stringValue()).isEqualTo("APPROVED");

        var denied = program(ALARM);
        var other = awaitPending();
        assertThat(run("deny", other, "--reason", "Not at night.").code()).isZero();
        assertThat(run("deny", other).code()).isEqualTo(1);
        var ended = Json.parse(denied.get(60, TimeUnit.SECONDS).body());
        assertThat(ended.path("stdout").stringValue())
                .contains("ApprovalDenied", "because: Not at night");
        assertThat(ended.path("approval_state").stringValue()).isEqualTo("DENIED");
        var execution = ended.path("execution_id").stringValue();
        var kept = ok(agent, "GET", "/v1/executions/" + execution, Json.object());
        assertThat(kept.path("approval_state").stringValue()).isEqualTo("DENIED");
        assertThat(run("list").out()).contains("Nothing waits");
        assertThat(Json.parse(run("list", "--all", "--json").out())).hasSize(2);
    }

    @Test
    void what_a_run_waited_for_is_withdrawn_when_it_ends() throws Exception {
        var running = program(ALARM);
        var id = awaitPending();
        var execution = get("/v1/approvals").at("/approvals/0/execution_id").stringValue();
        assertThat(send(agent, "DELETE", "/v1/executions/" + execution, Json.object()).statusCode())
                .isEqualTo(200);
        running.get(60, TimeUnit.SECONDS);
        await().atMost(PATIENCE)
                .until(() ->
                        get("/v1/approvals/" + id)
                                .at("/approval/state")
                                .stringValue()
                                .equals("withdrawn"));
        assertThat(
                        send(product.key, "POST", "/v1/approvals/" + id, decision("approve"))
                                .statusCode())
                .isEqualTo(409);
    }

    @Test
    void always_lets_later_calls_through_and_run_those_of_one_run() throws Exception {
        var running =
                program(
                        """
                        from caisson.servers import weather
                        for n in range(3):
                            print(weather.set_alarm(n=n)[:4])
                        """);
        ok(
                product.key,
                "POST",
                "/v1/approvals/" + awaitPending(),
                decision("approve").put("scope", "run"));
        var report = Json.parse(running.get(60, TimeUnit.SECONDS).body());
        assertThat(report.path("stdout").stringValue()).isEqualTo("rain\nrain\nrain\n");
        assertThat(call("x").statusCode()).isEqualTo(202);
        var always = decision("approve").put("scope", "always");
        var person = key("person", "approve");
        var refused = send(person, "POST", "/v1/approvals/" + awaitPending(), always);
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(403);
        assertThat(refused.body()).contains("scope admin", "once");
        ok(product.key, "POST", "/v1/approvals/" + awaitPending(), always);
        assertThat(call("x").statusCode()).isEqualTo(200);
        assertThat(call("y").statusCode()).isEqualTo(200);
        assertThat(product.get("/v1/policy").at("/rules/0/name").stringValue())
                .startsWith("approved ");
    }
}
