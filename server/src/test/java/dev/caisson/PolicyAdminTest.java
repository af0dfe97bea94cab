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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Operators see, explain, test and change the rules of the policy, over REST and on the command
/// line; other keys learn what becomes of their own calls.
@Tag("root")
@Timeout(180)
class PolicyAdminTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir Path directory;
    private HttpUpstream remote;
    private TestProduct product;
    private Path file;

    @BeforeEach
    void open() throws Exception {
        remote = new HttpUpstream("forecast", "set_alarm");
        file = Files.writeString(directory.resolve("policy.yaml"), "");
        product =
                new TestProduct(
                        directory,
                        "upstreams.private_hosts=127.0.0.1",
                        "environments.bake=false",
                        "policy.file=" + file,
                        "approvals.client_wait=0s");
        var upstream = Json.object().put("id", "my-weather").put("url", remote.url());
        ok("POST", "/v1/upstreams", Json.text(upstream.put("approve", true)));
    }

    @AfterEach
    void close() throws IOException {
        product.close();
        remote.close();
    }

    private HttpResponse<String> send(String key, String method, String path, String body)
            throws Exception {
        return product.send(
                product.open(path)
                        .header("Authorization", "Bearer " + key)
                        .header("Content-Type", "application/json")
                        .method(
                                method,
                                body.isEmpty()
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body)));
    }

    private JsonNode ok(String method, String path, String body) throws Exception {
        return ok(product.key, method, path, body);
    }

    private JsonNode ok(String key, String method, String path, String body) throws Exception {
        var answer = send(key, method, path, body);
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
        return Json.parse(answer.body());
    }

    private int status(String key, String method, String path, String body) throws Exception {
        return send(key, method, path, body).statusCode();
    }

    private String key(String name, String... scopes) throws Exception {
        var wanted = Json.object().put("name", name);
        List.of(scopes).forEach(wanted.putArray("scopes")::add);
        return ok("POST", "/v1/keys", Json.text(wanted)).path("secret").stringValue();
    }

    private int called(String key) throws Exception {
        return status(key, "POST", "/v1/tools/my-weather/set_alarm/call", "{}");
    }

    private List<String> rules() throws Exception {
        return product.get("/v1/policy").path("rules").findValuesAsString("name").stream()
                .distinct()
                .toList();
    }

    private record Ended(int code, String out, String err) {
        Ended {
            assertThat(out + err).doesNotContain("Exception");
        }
    }

    private Ended run(String... args) {
        var all = new ArrayList<String>(List.of("policy"));
        all.addAll(List.of(args));
        all.addAll(List.of("--data", directory.resolve("data").toString()));
        all.addAll(List.of("--set", "policy.file=" + file));
        var out = new StringWriter();
        var err = new StringWriter();
        var code =
                Caisson.run(
                        new Commands(Clock.systemUTC()),
                        new PrintWriter(out, true),
                        new PrintWriter(err, true),
                        all.toArray(String[]::new));
        return new Ended(code, out.toString(), err.toString());
    }

    private String done(String... args) {
        var ended = run(args);
        assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
        return ended.out();
    }

    @Test
    void a_stored_rule_decides_at_once_and_stands_in_the_ledger() throws Exception {
        var agent = key("agent", "tools");
        assertThat(called(agent)).isEqualTo(202);
        var stored =
                ok(
                        "PUT",
                        "/v1/policy/rules/agents%20set%20alarms",
                        """
                        {"when": {"caller": "agent", "tool": "set_*"}, "decide": "allow"}
                        """);
        assertThat(stored.path("source").stringValue()).isEqualTo("database");
        assertThat(stored.path("made_by").stringValue()).isEqualTo("admin");
        assertThat(stored.at("/rule/when/caller").stringValue()).isEqualTo("agent");
        assertThat(called(agent)).isEqualTo(200);

        var before = "{\"decide\": \"deny\", \"when\": {\"caller\": \"x\"}, \"position\": 1}";
        ok("PUT", "/v1/policy/rules/first", before);
        assertThat(rules())
                .containsExactly(
                        "first", "agents set alarms", "default own", "default read", "default");
        var page = product.get("/v1/policy?limit=1");
        var next = page.path("next_cursor").stringValue();
        assertThat(product.get("/v1/policy?limit=1&cursor=" + next).at("/rules/0/name"))
                .isEqualTo(Json.tree("agents set alarms"));

        assertThat(status(product.key, "DELETE", "/v1/policy/rules/agents%20set%20alarms", ""))
                .isEqualTo(204);
        assertThat(called(agent)).isEqualTo(202);
        assertThat(status(product.key, "DELETE", "/v1/policy/rules/nothing", "")).isEqualTo(404);
        var wrong = send(product.key, "PUT", "/v1/policy/rules/default", "{\"decide\":\"allow\"}");
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("reserved");
        var misspelt = "{\"decide\": \"allow\", \"when\": {\"toll\": \"x\"}}";
        assertThat(status(product.key, "PUT", "/v1/policy/rules/a", misspelt)).isEqualTo(400);
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(product.get("/v1/ledger?limit=200").toString())
                                .contains(
                                        "policy_rule_set",
                                        "policy_rule_remove",
                                        "policy_list",
                                        "refused:not_found"));
    }

    @Test
    void a_key_of_little_right_learns_what_becomes_of_its_own_calls_alone() throws Exception {
        var agent = key("agent", "tools");
        ok(
                "PUT",
                "/v1/policy/rules/secret%20project",
                "{\"when\": {\"caller\": \"somebody\"}, \"decide\": \"allow\"}");
        var prod =
                """
                {"when": {"server": "my-weather", "arguments": {"required": ["prod"]}},
                 "decide": "deny", "reason": "Not in prod."}
                """;
        ok("PUT", "/v1/policy/rules/prod", prod);
        var own =
                ok(
                        agent,
                        "POST",
                        "/v1/policy/explain",
                        "{\"call\": \"my-weather/set_alarm\", \"arguments\": {\"prod\": 1}}");
        assertThat(own.path("decision").stringValue()).isEqualTo("deny");
        assertThat(own.path("rule").stringValue()).isEqualTo("prod");
        assertThat(own.path("reason").stringValue()).isEqualTo("Not in prod.");
        assertThat(own.path("rules")).hasSize(1);
        var large = Json.object().put("call", "my-weather/set_alarm");
        large.putObject("arguments").put("a", "x".repeat((1 << 20) - 8));
        assertThat(status(agent, "POST", "/v1/policy/explain", Json.text(large))).isEqualTo(200);
        large.putObject("arguments").put("a", "x".repeat((1 << 20) - 7));
        assertThat(status(agent, "POST", "/v1/policy/explain", Json.text(large))).isEqualTo(400);
        var unknown =
                ok(agent, "POST", "/v1/policy/explain", "{\"call\":\"my_weather.set_alarm\"}");
        assertThat(unknown.path("decision").isNull()).isTrue();
        assertThat(unknown.toString()).contains("prod").doesNotContain("secret project");
        for (var ask :
                List.of(
                        "GET /v1/policy",
                        "GET /v1/policy/suggestion",
                        "PUT /v1/policy/rules/a",
                        "DELETE /v1/policy/rules/prod",
                        "POST /v1/policy/test")) {
            var parts = ask.split(" ", 2);
            assertThat(status(agent, parts[0], parts[1], "{}")).as(ask).isEqualTo(403);
        }
        var other = "{\"call\": \"my-weather/set_alarm\", \"key\": \"admin\"}";
        assertThat(status(agent, "POST", "/v1/policy/explain", other)).isEqualTo(403);
        assertThat(
                        status(
                                key("runner", "run"),
                                "POST",
                                "/v1/policy/explain",
                                "{\"call\": \"my-weather/set_alarm\"}"))
                .isEqualTo(404);

        var whole =
                ok(
                        "POST",
                        "/v1/policy/explain",
                        "{\"call\": \"my-weather/set_alarm\", \"key\": \"agent\", \"arguments\": {}}");
        assertThat(whole.path("decision").stringValue()).isEqualTo("ask");
        assertThat(whole.path("rules")).hasSize(5);
        assertThat(whole.at("/rules/0/because/0").stringValue())
                .isEqualTo("caller is not somebody");
        assertThat(
                        status(
                                product.key,
                                "POST",
                                "/v1/policy/explain",
                                "{\"call\": \"my-weather/set_alarm\", \"key\": \"nobody\"}"))
                .isEqualTo(404);
        var ours =
                ok(
                        "POST",
                        "/v1/policy/explain",
                        """
                        {"call": "caisson/sandbox_execute", "arguments": {"language": "bash", "code": "true"}}
                        """);
        assertThat(ours.path("rule").stringValue()).isEqualTo("default own");
        var invalid =
                send(
                        product.key,
                        "POST",
                        "/v1/policy/explain",
                        "{\"call\": \"caisson/sandbox_execute\", \"arguments\": {}}");
        assertThat(invalid.statusCode()).isEqualTo(400);
        assertThat(invalid.body()).contains("not valid");
    }

    @Test
    void recorded_calls_are_judged_by_other_rules_and_give_rules() throws Exception {
        var agent = key("agent", "tools");
        assertThat(called(agent)).isEqualTo(202);
        ok(
                "PUT",
                "/v1/policy/rules/a",
                "{\"when\": {\"caller\": \"agent\"}, \"decide\": \"allow\"}");
        assertThat(called(agent)).isEqualTo(200);
        assertThat(called(agent)).isEqualTo(200);
        var denying = "- {name: no alarms, when: {tool: set_alarm}, decide: deny}";
        var tested = ok("POST", "/v1/policy/test", Json.text(Json.object().put("file", denying)));
        assertThat(tested.path("changed").intValue()).isEqualTo(3);
        assertThat(tested.at("/changes/0/calls").intValue()).isEqualTo(3);
        assertThat(tested.at("/changes/0/now/rules/0").stringValue()).isEqualTo("a");
        assertThat(tested.at("/changes/0/then/decision").stringValue()).isEqualTo("deny");
        assertThat(tested.at("/changes/0/caller_name").stringValue()).isEqualTo("agent");
        assertThat(tested.at("/looked_at/complete").booleanValue()).isTrue();
        var same = "{\"rules\": [], \"in_place_of\": \"file\", \"days\": 1}";
        assertThat(ok("POST", "/v1/policy/test", same).path("changed").intValue()).isZero();
        var without = "{\"rules\": [], \"in_place_of\": \"database\"}";
        assertThat(ok("POST", "/v1/policy/test", without).path("changed").intValue()).isEqualTo(3);
        for (var wrong :
                List.of(
                        "{}",
                        "{\"rules\": [], \"file\": \"\"}",
                        "{\"rules\": [{\"name\": \"a\"}]}",
                        "{\"rules\": [], \"days\": 91}")) {
            assertThat(status(product.key, "POST", "/v1/policy/test", wrong)).isEqualTo(400);
        }
        var suggested = product.get("/v1/policy/suggestion?days=1");
        assertThat(suggested.path("rules")).hasSize(1);
        assertThat(suggested.at("/rules/0/when/tool").stringValue()).isEqualTo("set_alarm");

        Files.writeString(file, done("test", "--suggest"));
        assertThat(status(product.key, "DELETE", "/v1/policy/rules/a", "")).isEqualTo(204);
        await().atMost(PATIENCE).until(() -> rules().contains("used 1: my_weather set_alarm"));
        assertThat(called(agent)).isEqualTo(200);
    }

    @Test
    void the_command_line_does_the_same_beside_a_server_and_without_one() throws Exception {
        var agent = key("agent", "tools");
        done(
                "add",
                "agents set alarms",
                "--decide",
                "allow",
                "--caller",
                "agent",
                "--server",
                "my-weather",
                "--effect",
                "write,unknown",
                "--arguments",
                "{\"type\":\"object\"}",
                "--rate",
                "30/m");
        await().atMost(PATIENCE).until(() -> called(agent) == 200);
        assertThat(done("list"))
                .contains("agents set alarms", "server=my-weather effect=write,unknown", "local");
        assertThat(Json.parse(done("list", "--json")).path("rules")).hasSize(4);
        assertThat(done("explain", "--key", "agent", "--call", "my-weather/set_alarm"))
                .contains("It depends", "the arguments are not known");
        assertThat(
                        done(
                                "explain",
                                "--key",
                                "agent",
                                "--call",
                                "my-weather/set_alarm",
                                "--arguments",
                                "{}",
                                "--door",
                                "mcp"))
                .contains("decided: allow, by the rule agents set alarms");
        assertThat(run("explain", "--call", "my-weather/none").err()).contains("no tool");
        assertThat(run("explain", "--call", "caisson/x").err()).contains("POST /v1/policy/explain");
        assertThat(run("add", "b", "--decide", "perhaps").err()).contains("decide");
        var other = Files.writeString(directory.resolve("other.yaml"), "- {name: a, decide: deny}");
        assertThat(done("test", other.toString()))
                .contains("would be decided otherwise", "allow (agents set alarms)", "deny (a)");
        Files.writeString(other, "- {name: a, decide: perhaps}");
        var mistaken = run("test", other.toString());
        assertThat(mistaken.code()).isEqualTo(1);
        assertThat(mistaken.err()).contains("Line 1: a: decide");
        assertThat(run("test").code()).isEqualTo(2);
        product.close();
        var removed = run("remove", "agents set alarms");
        assertThat(removed.code()).isZero();
        assertThat(removed.err()).contains("No server uses this data directory");
        assertThat(run("remove", "agents set alarms").err()).contains("No rule of this name");
        assertThat(done("list")).doesNotContain("agents set alarms");
    }
}
