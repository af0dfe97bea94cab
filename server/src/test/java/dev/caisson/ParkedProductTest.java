package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.json.Json;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Runs whose programs wait for people stand still: they take neither time nor places, clients are
/// told what is waited for, and nothing is lost however they end.
@Tag("root")
@Tag("slow")
@Timeout(600)
class ParkedProductTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final String ALARM =
            """
            import caisson
            from caisson.servers import weather
            try:
                print(weather.set_alarm(repo="x")[:4])
            except caisson.ToolError as error:
                print(error.type, error.retryable, error)
            """;

    @TempDir Path directory;

    @SuppressWarnings("NullAway.Init") // Every test opens it first, with settings of its own.
    private HttpUpstream remote;

    @SuppressWarnings("NullAway.Init") // The same.
    private TestProduct product;

    private String agent = "";

    private void open(String... settings) throws Exception {
        remote = new HttpUpstream("set_alarm");
        var all =
                new ArrayList<String>(
                        List.of(
                                "upstreams.private_hosts=127.0.0.1",
                                "environments.bake=false",
                                "approvals.grace=100ms"));
        all.addAll(List.of(settings));
        product = new TestProduct(directory, all.toArray(String[]::new));
        var upstream = Json.object().put("id", "weather").put("url", remote.url());
        ok("POST", "/v1/upstreams", upstream.put("approve", true));
        agent = key("agent");
    }

    @AfterEach
    void close() throws IOException {
        product.close();
        remote.close();
    }

    private HttpResponse<String> send(String method, String path, ObjectNode body)
            throws Exception {
        return product.send(
                product.request(path)
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(Json.text(body))));
    }

    private JsonNode ok(String method, String path, ObjectNode body) throws Exception {
        var answer = send(method, path, body);
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
        return Json.parse(answer.body());
    }

    private String key(String name) throws Exception {
        var wanted = Json.object().put("name", name);
        wanted.putArray("scopes").add("run").add("tools");
        return ok("POST", "/v1/keys", wanted).path("secret").stringValue();
    }

    private CompletableFuture<HttpResponse<String>> program(String key, ObjectNode order) {
        var request =
                TestProduct.post(
                        product.open("/v1/sandbox/execute")
                                .header("Authorization", "Bearer " + key)
                                .timeout(Duration.ofMinutes(10)),
                        order);
        return product.http.sendAsync(request.build(), BodyHandlers.ofString());
    }

    private static ObjectNode python(String code) {
        return Json.object().put("language", "python").put("code", code);
    }

    private static JsonNode report(CompletableFuture<HttpResponse<String>> running)
            throws Exception {
        return Json.parse(running.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).body());
    }

    private List<JsonNode> pending() throws Exception {
        return product.get("/v1/approvals?limit=100").path("approvals").valueStream().toList();
    }

    private JsonNode awaitPending() throws Exception {
        await().atMost(PATIENCE).until(() -> pending().size() == 1);
        return pending().getFirst();
    }

    private void approve(JsonNode approval) throws Exception {
        ok(
                "POST",
                "/v1/approvals/" + approval.path("id").stringValue(),
                Json.object().put("decision", "approve"));
    }

    private double metric(String name) throws Exception {
        return product.send(product.request("/metrics"))
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .sum();
    }

    private void awaitParked(int count) {
        await().atMost(PATIENCE).until(() -> metric("caisson_runs_parked") == count);
    }

    @Test
    void a_run_that_waits_for_a_person_stands_still_however_long_it_takes() throws Exception {
        open();
        var running = program(agent, python(ALARM).put("timeout", 5));
        var approval = awaitPending();
        awaitParked(1);
        assertThat(metric("caisson_runs_active")).isZero();
        // Longer than the program may take.
        Thread.sleep(6_000);
        assertThat(running).isNotDone();
        approve(approval);
        var report = report(running);
        assertThat(report.path("stdout").stringValue()).as(report.toString()).isEqualTo("rain\n");
        assertThat(report.path("approval_state").stringValue()).isEqualTo("APPROVED");
        assertThat(report.at("/tools/parked_ms").asLong(0)).isGreaterThan(5_000);
        assertThat(report.at("/result/metrics/duration_ms").asLong(99_999)).isLessThan(5_000);
        assertThat(metric("caisson_runs_parked")).isZero();
    }

    @Test
    void a_program_that_does_something_else_uses_its_own_time() throws Exception {
        open();
        var busy =
                """
                import threading, time
                from caisson.servers import caisson as own
                def work():
                    while True:
                        own.list_runners()
                threading.Thread(target=work, daemon=True).start()
                """;
        var running = program(agent, python(busy + ALARM));
        var approval = awaitPending();
        Thread.sleep(2_000);
        assertThat(metric("caisson_runs_parked")).isZero();
        approve(approval);
        assertThat(report(running).path("stdout").stringValue()).isEqualTo("rain\n");
    }

    @Test
    void beyond_the_room_for_parked_runs_a_call_is_refused() throws Exception {
        open("approvals.parked_max=1");
        var first = program(agent, python(ALARM));
        var approval = awaitPending();
        awaitParked(1);
        var second = report(program(key("other"), python(ALARM)));
        assertThat(second.path("stdout").stringValue())
                .contains("NoCapacity True", "approvals.parked_max");
        assertThat(pending()).as("its approval was withdrawn").hasSize(1);
        approve(approval);
        assertThat(report(first).path("stdout").stringValue()).isEqualTo("rain\n");
    }

    @Test
    void a_client_is_told_and_finds_the_result_later() throws Exception {
        open("approvals.client_wait=1s", "sandbox.background_max=1");
        for (int i = 0; i < 2; i++) {
            var told = mcp("sandbox_execute", python(ALARM));
            assertThat(told.path("isError").asBoolean(false)).as(told.toString()).isFalse();
            var report = told.path("structuredContent");
            assertThat(report.path("status").asString("")).isEqualTo("waiting_approval");
            assertThat(report.at("/approvals/0/url").asString("")).startsWith("/v1/approvals/");
            assertThat(report.path("advice").asString("")).contains("waits for a person");
        }
        // Neither counts among the background runs, of which there may be one.
        awaitParked(2);
        for (var approval : pending()) {
            var id = approval.path("execution_id").stringValue();
            var wait = Json.object().put("execution_id", id).put("seconds", 1);
            var waits = mcp("execution_wait", wait).path("structuredContent");
            assertThat(waits.path("status").asString("")).isEqualTo("waiting_approval");
            assertThat(waits.at("/approvals/0/id").asString(""))
                    .isEqualTo(approval.path("id").stringValue());
            approve(approval);
            var ended = mcp("execution_wait", wait.put("seconds", 50)).path("structuredContent");
            assertThat(ended.path("stdout").asString("")).as(ended.toString()).isEqualTo("rain\n");
        }
    }

    private JsonNode mcp(String tool, ObjectNode arguments) throws Exception {
        var request =
                McpMessages.modern(
                        product.open("/mcp").header("Authorization", "Bearer " + agent),
                        "tools/call",
                        McpMessages.tool(tool, arguments));
        return McpMessages.response(product.send(request).body()).path("result");
    }

    @Test
    void a_parked_run_that_is_cancelled_ends_and_its_approval_is_withdrawn() throws Exception {
        open();
        var running = program(agent, python(ALARM));
        var approval = awaitPending();
        awaitParked(1);
        var id = approval.path("execution_id").stringValue();
        var cancel =
                product.send(
                        product.open("/v1/executions/" + id)
                                .header("Authorization", "Bearer " + agent)
                                .DELETE());
        assertThat(cancel.statusCode()).isEqualTo(200);
        assertThat(report(running).path("status").stringValue()).isEqualTo("cancelled");
        awaitParked(0);
        await().atMost(PATIENCE)
                .until(() ->
                        product.get("/v1/approvals/" + approval.path("id").stringValue())
                                .at("/approval/state")
                                .stringValue()
                                .equals("withdrawn"));
        assertThat(remote.calls()).isZero();
    }

    @Test
    void sixty_four_stand_still_at_once_and_each_goes_on_with_its_decision() throws Exception {
        open("approvals.parked_max=64", "shares.part=1");
        var agents = new ArrayList<String>(List.of(agent, key("second")));
        var runs = new HashMap<String, CompletableFuture<HttpResponse<String>>>();
        for (int i = 0; i < 64; i++) {
            var code = ALARM.replace("\"x\"", "\"" + i + "\"");
            runs.put(Integer.toString(i), program(agents.get(i % 2), python(code)));
        }
        awaitParked(64);
        assertThat(metric("caisson_runs_active")).isZero();
        var millis = new ArrayList<Long>();
        long peak = 0;
        for (var approval : pending()) {
            var asked = approval.at("/arguments/repo").stringValue();
            var running = Optional.ofNullable(runs.get(asked)).orElseThrow();
            long decided = System.nanoTime();
            approve(approval);
            var report = report(running);
            millis.add((System.nanoTime() - decided) / 1_000_000);
            assertThat(report.path("stdout").stringValue())
                    .as(report.toString())
                    .isEqualTo("rain\n");
            peak += report.at("/result/metrics/memory_peak_bytes").asLong(0);
        }
        assertThat(millis).hasSize(64);
        assertThat(remote.calls()).isEqualTo(64);
        millis.sort(null);
        System.out.printf(
                "64 parked at once: decision to answer p50 %d ms, p95 %d ms; memory of each %d KiB at most%n",
                millis.get(31), millis.get(60), (peak / 64) >> 10);
    }
}
