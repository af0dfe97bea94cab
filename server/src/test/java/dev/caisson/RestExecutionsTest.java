package dev.caisson;

import static dev.caisson.TestProduct.bash;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.caisson.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What is kept of runs, how one that runs is followed and ended, and what only some keys may see.
class RestExecutionsTest extends ProductTestCase {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String NDJSON = "application/x-ndjson";

    RestExecutionsTest() {
        super("webhooks.private_hosts=localhost", "sandbox.data_spool_bytes=32MiB");
    }

    @Test
    void an_execution_is_found_by_its_run_and_by_its_trace() throws Exception {
        var arguments = bash("echo out; echo err >&2; exit 2").put("thread_id", "kept");
        arguments.putObject("env_vars").put("COLOUR", "red");
        arguments.putObject("metadata").put("order", 7);
        var result = run(arguments);

        for (var id : List.of(result.path("run_id"), result.path("trace_id"))) {
            var found = product.get("/v1/executions/" + id.stringValue());
            assertThat(found.path("run_id")).isEqualTo(result.path("run_id"));
            assertThat(found.path("status").stringValue()).isEqualTo("failed");
            assertThat(found.path("exit_code").intValue()).isEqualTo(2);
            assertThat(found.path("stdout").stringValue()).isEqualTo("out\n");
            assertThat(found.path("stderr").stringValue()).isEqualTo("err\n");
            assertThat(found.path("stdout_bytes").intValue()).isEqualTo(4);
            assertThat(found.path("truncated").booleanValue()).isFalse();
            assertThat(found.path("thread_id").stringValue()).isEqualTo("kept");
            assertThat(found.path("env_names").toString()).isEqualTo("[\"COLOUR\"]");
            assertThat(found.path("metadata").path("order").intValue()).isEqualTo(7);
            assertThat(found.path("delivery_mode").stringValue()).isEqualTo("inline");
            assertThat(found.path("caller").stringValue()).isEqualTo("admin");
            assertThat(found.path("limits").path("timeout_ms").intValue()).isEqualTo(30_000);
            assertThat(found.path("envelope").path("input_digest"))
                    .isEqualTo(result.path("input_digest"));
            assertThat(found.path("envelope").path("output_digest"))
                    .isEqualTo(result.path("output_digest"));
            assertThat(found.hasNonNull("completed_at")).isTrue();
        }
    }

    @Test
    void what_a_program_handed_over_is_kept_as_it_was_answered() throws Exception {
        var python = Json.object().put("language", "python");
        var small = run(python.deepCopy().put("code", "result = {'rows': [1, None, 'ü']}"));
        var large = run(python.deepCopy().put("code", "result = 'x' * 100_000"));
        var none = run(python.deepCopy().put("code", "print(1)"));
        var nothing = run(python.deepCopy().put("code", "result = None"));
        var nested = "result = 1\nfor _ in range(%d): result = [result]";
        var deep = run(python.deepCopy().put("code", nested.formatted(100)));
        var deeper = run(python.deepCopy().put("code", nested.formatted(110)));

        for (var result : List.of(small, large, none, nothing, deep, deeper)) {
            var kept = product.get("/v1/executions/" + result.path("run_id").stringValue());
            for (var member : List.of("data", "data_stored_bytes", "data_file", "data_note")) {
                var answered = result.path("result").path(member);
                assertThat(orNothing(kept.path("result").path(member)))
                        .as(member)
                        .isEqualTo(orNothing(answered));
            }
            assertThat(kept.path("metrics").path("start").stringValue())
                    .isEqualTo(result.path("start").stringValue());
        }
        assertThat(product.get("/v1/executions").path("executions")).isNotEmpty();
        assertThat(small.path("result").path("data").path("rows")).hasSize(3);
        assertThat(nothing.path("result").path("data").isNull()).isTrue();
        assertThat(deep.path("result").path("data")).hasSize(1);
        assertThat(deeper.path("result").path("data_note").stringValue()).contains("deeper");
        assertThat(none.path("result").path("data").isNull()).isTrue();
        assertThat(large.path("result").path("data").isNull()).isTrue();
        assertThat(large.path("result").path("data_stored_bytes").intValue()).isEqualTo(100_002);
        assertThat(large.path("result").path("data_file").isObject()).isFalse();
    }

    @Test
    void the_value_of_an_execution_is_read_whole_however_large() throws Exception {
        var python = Json.object().put("language", "python");
        for (var size : List.of(0, 10, 5_000, 20_000)) {
            var code = "result = ['ä😀\\n' + str(i) * 30 for i in range(" + size + ")]";
            var result = run(python.deepCopy().put("code", code));
            var value = product.get(resultPath(result));
            var kept = result.path("result").path("data_stored_bytes").longValue() > 0;

            assertThat(kept).as("%d", size).isEqualTo(size >= 5_000);
            assertThat(value.path("run_id")).isEqualTo(result.path("run_id"));
            assertThat(value.path("status").stringValue()).isEqualTo("success");
            assertThat(value.path("data")).hasSize(size);
            assertThat(value.path("data_note").asString("")).isEmpty();
            if (size > 0) {
                assertThat(value.path("data").path(size - 1).stringValue())
                        .isEqualTo("ä😀\n" + String.valueOf(size - 1).repeat(30));
            }
        }
    }

    /// The reader has begun to read and then waits, so that most of the value is still to come.
    @Test
    void a_value_that_is_removed_while_it_is_read_is_no_fault_and_does_not_look_whole()
            throws Exception {
        var code = "result = 'x' * 30_000_000";
        var result = run(Json.object().put("language", "python").put("code", code));
        var faults = faults();
        try (var body = product.bytes(product.request(resultPath(result))).body()) {
            assertThat(body.read()).isEqualTo('{');

            Files.delete(keptValue());

            assertThatThrownBy(body::readAllBytes).isInstanceOf(IOException.class);
        }
        assertThat(faults()).isEqualTo(faults);
        assertThat(product.get(resultPath(result)).path("data_note").stringValue())
                .isEqualTo("The value is not kept any more.");
    }

    /// The only one of this length.
    private Path keptValue() throws IOException {
        try (var files = Files.walk(product.config.data().directory().resolve("output"))) {
            return files.filter(file -> file.toFile().length() == 30_000_002)
                    .findAny()
                    .orElseThrow();
        }
    }

    private String faults() throws Exception {
        return product.send(product.request("/metrics"))
                .body()
                .lines()
                .filter(line -> line.startsWith("caisson_faults_total"))
                .findAny()
                .orElseThrow();
    }

    /// A number that is 0 counts as nothing, as null and what is not there do.
    private static String orNothing(JsonNode node) {
        var nothing = node.isMissingNode() || node.isNull() || node.toString().equals("0");
        return nothing ? "nothing" : node.toString();
    }

    private static String resultPath(JsonNode result) {
        return "/v1/executions/" + result.path("run_id").stringValue() + "/result";
    }

    @Test
    void an_execution_without_a_value_says_so() throws Exception {
        var nothing = product.get(resultPath(run(bash("echo 1"))));
        assertThat(nothing.path("data").isNull()).isTrue();
        assertThat(nothing.path("data_note").asString("")).isEmpty();

        var python = Json.object().put("language", "python");
        var set = product.get(resultPath(run(python.put("code", "result = {1, 2}"))));
        assertThat(set.path("data").isNull()).isTrue();
        assertThat(set.path("data_note").stringValue()).contains("set is not JSON serializable");

        var asked = run(bash("echo log; echo '{\"a\": 1}'").put("data_from_stdout", true));
        assertThat(product.get(resultPath(asked)).path("data").path("a").intValue()).isEqualTo(1);
        var path = "/v1/executions/none/result";
        assertThat(product.send(product.request(path)).statusCode()).isEqualTo(404);
    }

    @Test
    void a_value_is_the_callers_own_and_ends_with_the_output() throws Exception {
        var code = Json.object().put("language", "python").put("code", "result = 'x' * 100_000");
        var result = run(code);
        var other = newKey("reader of values", "run");
        assertThat(send(other, "GET", resultPath(result), Json.object()).statusCode())
                .isEqualTo(404);
        assertThat(product.get(resultPath(result)).path("data").stringValue()).hasSize(100_000);
    }

    @Test
    void executions_are_listed_newest_first_by_filter_and_page() throws Exception {
        for (var i = 0; i < 3; i++) {
            run(bash("exit " + i).put("thread_id", "listed"));
        }
        var query = "/v1/executions?thread_id=listed";
        var all = product.get(query).path("executions");
        assertThat(all.findValuesAsString("exit_code")).containsExactly("2", "1", "0");
        assertThat(product.get(query + "&status=success").path("executions").size()).isEqualTo(1);
        assertThat(product.get(query + "&language=python").path("executions").size()).isZero();

        var first = product.get(query + "&limit=2");
        assertThat(first.path("executions").size()).isEqualTo(2);
        var second =
                product.get(query + "&limit=2&cursor=" + first.path("next_cursor").stringValue());
        assertThat(second.path("executions").findValuesAsString("exit_code")).containsExactly("0");
        assertThat(second.hasNonNull("next_cursor")).isFalse();
        for (var wrong : List.of("status=x", "limit=0", "limit=201", "cursor=x", "all=x")) {
            assertThat(product.send(product.request("/v1/executions?" + wrong)).statusCode())
                    .as(wrong)
                    .isEqualTo(400);
        }
    }

    @Test
    void a_key_sees_its_own_and_an_admin_all_when_it_asks() throws Exception {
        var other = newKey("other", "run");
        var result = Json.parse(send(other, "POST", "/v1/sandbox/execute", bash("true")).body());
        var path = "/v1/executions/" + result.path("run_id").stringValue();

        assertThat(send(other, "GET", path, Json.object()).statusCode()).isEqualTo(200);
        assertThat(product.send(product.request(path)).statusCode()).isEqualTo(404);
        assertThat(product.get(path + "?all=true").path("caller").stringValue()).isEqualTo("other");
        assertThat(product.get("/v1/executions?all=true").toString()).contains("\"other\"");
        assertThat(send(other, "GET", path + "?all=true", Json.object()).statusCode())
                .isEqualTo(403);
        assertThat(send(other, "DELETE", "/v1/executions/none", Json.object()).statusCode())
                .isEqualTo(404);
    }

    @Test
    void who_comes_late_sees_everything_from_the_start_and_the_end() throws Exception {
        var id =
                accepted(
                        bash("echo one; until [ -e go ]; do sleep 0.1; done; echo two")
                                .put("thread_id", "late"));
        await().atMost(PATIENCE)
                .until(() -> output(id).path("stdout").stringValue().equals("one\n"));
        assertThat(output(id).path("complete").booleanValue()).isFalse();

        try (var lines = product.lines(events(id, "")).body();
                var more = product.lines(events(id, "?stdout_offset=4")).body()) {
            var reading = lines.iterator();
            assertThat(reading.next()).contains("\"started\"", id);
            assertThat(reading.next()).contains("\"text\":\"one\\n\",\"offset\":0");
            assertThat(more.iterator().next()).contains("\"started\"");

            cancel(id);
            String last = "";
            while (reading.hasNext()) {
                last = reading.next();
            }
            assertThat(last).contains("\"result\"", "\"status\":\"cancelled\"", "one\\n");
        }
        assertThat(output(id).path("complete").booleanValue()).isTrue();
        assertThat(product.send(events(id, "")).body()).contains("\"started\"", "one\\n");
    }

    @Test
    void cancelling_ends_the_program_and_answers_once_it_has() throws Exception {
        var id = accepted(bash("trap '' TERM INT; sleep 600"));

        var cancelled = cancel(id);
        assertThat(cancelled.statusCode()).isEqualTo(200);
        assertThat(Json.parse(cancelled.body()).path("status").stringValue())
                .isEqualTo("cancelled");
        assertThat(cancel(id).statusCode()).isEqualTo(409);
        assertThat(product.send(product.request("/v1/executions/none").DELETE()).statusCode())
                .isEqualTo(404);
    }

    @Test
    void a_result_that_comes_later_is_sent_where_it_is_wanted() throws Exception {
        var bodies = new LinkedBlockingQueue<String>();
        var receiver =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext(
                "/",
                exchange -> {
                    bodies.add(
                            new String(
                                    exchange.getRequestBody().readAllBytes(),
                                    StandardCharsets.UTF_8));
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                });
        receiver.start();
        try {
            var url = "http://localhost:" + receiver.getAddress().getPort() + "/done";
            var id = accepted(bash("echo hello").put("webhook_url", url));
            var body = Json.parse(bodies.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            assertThat(body.path("type").stringValue()).isEqualTo("execution.completed");
            assertThat(body.path("data").path("run_id").stringValue()).isEqualTo(id);
            assertThat(body.path("data").path("stdout").stringValue()).isEqualTo("hello\n");
            assertThat(product.get("/v1/executions/" + id).path("delivery_mode").stringValue())
                    .isEqualTo("webhook");
            assertThat(product.get("/v1/webhooks/secret").path("secret").stringValue())
                    .startsWith("whsec_");
        } finally {
            receiver.stop(0);
        }
        var inside = later(bash("true").put("webhook_url", "http://127.0.0.1:1/"));
        assertThat(inside.statusCode()).isEqualTo(400);
        assertThat(inside.body()).contains("private address");
    }

    @Test
    void the_ledger_is_for_auditors() throws Exception {
        run(bash("true"));
        var ledger = product.get("/v1/ledger?tool=sandbox_execute&caller=admin&limit=1");
        var entry = ledger.path("entries").get(0);
        assertThat(entry.path("door").stringValue()).isEqualTo("rest");
        assertThat(entry.path("tool").stringValue()).isEqualTo("sandbox_execute");
        assertThat(entry.path("caller_name").stringValue()).isEqualTo("admin");
        assertThat(entry.path("hash").stringValue()).hasSize(64);

        assertThat(send(newKey("runner", "run"), "GET", "/v1/ledger", Json.object()).statusCode())
                .isEqualTo(403);
        var auditor = newKey("auditor", "audit");
        assertThat(send(auditor, "GET", "/v1/ledger", Json.object()).statusCode()).isEqualTo(200);
        assertThat(send(auditor, "POST", "/v1/sandbox/execute", bash("true")).statusCode())
                .isEqualTo(403);
    }

    @Test
    void keys_are_made_listed_and_revoked_by_an_admin() throws Exception {
        var made =
                Json.parse(
                        send(product.key, "POST", "/v1/keys", Json.object().put("name", "temp"))
                                .body());
        var secret = made.path("secret").stringValue();
        assertThat(made.path("scopes").toString())
                .isEqualTo("[\"run\",\"files_read\",\"files_write\"]");
        assertThat(send(secret, "GET", "/v1/whoami", Json.object()).statusCode()).isEqualTo(200);
        assertThat(send(secret, "GET", "/v1/keys", Json.object()).statusCode()).isEqualTo(403);
        assertThat(product.send(product.request("/v1/keys")).body())
                .contains("\"temp\"")
                .doesNotContain(secret);

        var id = made.path("id").stringValue();
        assertThat(send(product.key, "DELETE", "/v1/keys/" + id, Json.object()).body())
                .contains("revoked_at");
        await().atMost(PATIENCE)
                .until(() -> send(secret, "GET", "/v1/whoami", Json.object()).statusCode() != 200);
        var wrong = Json.object().put("name", "x");
        wrong.putArray("scopes").add("everything");
        assertThat(send(product.key, "POST", "/v1/keys", wrong).body())
                .contains("validation_error", "files_write");
    }

    @Test
    void a_key_with_volumes_has_them_in_every_run_once_it_may_use_them() throws Exception {
        send(product.key, "POST", "/v1/volumes", Json.object().put("name", "team"));
        var wanted = Json.object().put("name", "member");
        wanted.putArray("volumes").addObject().put("name", "team").put("access", "write");
        var made = Json.parse(send(product.key, "POST", "/v1/keys", wanted).body());
        var key = made.path("secret").stringValue();
        assertThat(made.path("volumes").toString())
                .isEqualTo("[{\"name\":\"team\",\"access\":\"write\"}]");
        assertThat(product.get("/v1/keys").toString()).contains(made.path("volumes").toString());

        var program = bash("echo x >> /volumes/team/f; wc -l < /volumes/team/f");
        var refused = send(key, "POST", "/v1/sandbox/execute", program);
        assertThat(refused.statusCode()).isEqualTo(404);
        assertThat(refused.body()).contains("team:rw", "grant it to this key");

        var grant = "/v1/volumes/team/grants/" + made.path("id").stringValue();
        send(product.key, "PUT", grant, Json.object().put("access", "write"));
        assertThat(send(key, "POST", "/v1/sandbox/execute", program).body())
                .contains("\"stdout\":\"1\\n\"");
        var session = program.deepCopy().put("thread_id", "s").put("session", true);
        assertThat(send(key, "POST", "/v1/sandbox/execute", session).body())
                .contains("A session mounts no volumes");

        var wrong = Json.object().put("name", "x");
        wrong.putArray("volumes").addObject().put("name", "../team");
        assertThat(send(product.key, "POST", "/v1/keys", wrong).statusCode()).isEqualTo(400);
    }

    @Test
    void the_operator_sees_how_the_server_is() throws Exception {
        var status = product.get("/v1/status");
        assertThat(status.path("isolation").path("tier").stringValue()).isEqualTo("full");
        assertThat(status.path("isolation").path("layers").size()).isGreaterThan(10);
        assertThat(status.path("runs").path("places").intValue()).isEqualTo(16);
        assertThat(status.path("store").path("kind").stringValue()).isEqualTo("sqlite");

        var report = Json.parse(send(product.key, "POST", "/v1/doctor", Json.object()).body());
        assertThat(report.path("healthy").booleanValue()).as(report.toString()).isTrue();
    }

    private JsonNode run(ObjectNode arguments) throws Exception {
        return Json.parse(product.send(product.execute(arguments)).body());
    }

    private HttpResponse<String> later(ObjectNode arguments) throws Exception {
        return product.send(product.execute(arguments).header("Prefer", "respond-async"));
    }

    /// The run's id.
    private String accepted(ObjectNode arguments) throws Exception {
        var answer = later(arguments);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        var body = Json.parse(answer.body());
        var id = body.path("run_id").stringValue();
        assertThat(body.path("status").stringValue()).isEqualTo("running");
        assertThat(answer.headers().firstValue("Location")).contains("/v1/executions/" + id);
        assertThat(answer.headers().firstValue("Preference-Applied")).contains("respond-async");
        return id;
    }

    private JsonNode output(String id) throws Exception {
        return product.get("/v1/executions/" + id + "/output?stream=stdout");
    }

    private HttpRequest.Builder events(String id, String query) {
        return product.request("/v1/executions/" + id + "/output" + query).header("Accept", NDJSON);
    }

    private HttpResponse<String> cancel(String id) throws Exception {
        return product.send(product.request("/v1/executions/" + id).DELETE());
    }

    /// The secret of a new key.
    private String newKey(String name, String scope) throws Exception {
        var wanted = Json.object().put("name", name);
        wanted.putArray("scopes").add(scope);
        var made = send(product.key, "POST", "/v1/keys", wanted);
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        return Json.parse(made.body()).path("secret").stringValue();
    }

    private HttpResponse<String> send(String key, String method, String path, JsonNode body)
            throws Exception {
        return product.send(
                product.open(path)
                        .header("Authorization", "Bearer " + key)
                        .header("Content-Type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(Json.text(body))));
    }
}
