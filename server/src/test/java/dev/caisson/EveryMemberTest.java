package dev.caisson;

import static dev.caisson.TestProduct.bash;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.DeclaredMembers;
import dev.caisson.json.Json;
import dev.caisson.json.Schema;
import dev.caisson.json.SchemaOf;
import dev.caisson.runs.RunFigures;
import dev.caisson.tools.ToolBench;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Every member that the documents declare of a result is in the result, through every door,
/// however a real program ended: `null` where it has no value.
class EveryMemberTest extends ProductTestCase {
    private static final String NDJSON = "application/x-ndjson";
    private static final List<String> ENVELOPE =
            Stream.concat(
                            ToolBench.ENVELOPE.stream(),
                            Stream.of(
                                    "artifact_id",
                                    "artifact_path",
                                    "ssot_document_id",
                                    "ssot_commit"))
                    .toList();

    private JsonNode schemas;

    @BeforeAll
    void prepare() throws Exception {
        schemas = product.get("/v1/openapi.json").at("/components/schemas");
    }

    private static Map<String, ObjectNode> endings() {
        var endings = new LinkedHashMap<String, ObjectNode>();
        endings.put("success", bash("echo x > a.txt; mkdir d; echo y > d/b.txt"));
        endings.put("failed", bash("exit 3"));
        endings.put("signal", bash("kill -9 $$"));
        endings.put("timeout", bash("sleep 600").put("timeout", 1));
        endings.put(
                "oom",
                Json.object()
                        .put("language", "python")
                        .put("code", "x = [bytes(range(256)) * 4096 for _ in range(4096)]"));
        return endings;
    }

    @Test
    void results_and_records_have_them_over_rest() throws Exception {
        var statuses = new ArrayList<String>();
        for (var ending : endings().entrySet()) {
            for (var thread : List.of(false, true)) {
                var arguments = ending.getValue().deepCopy().put("artifact_id", "a-1");
                if (thread) {
                    arguments.put("thread_id", "rest-" + ending.getKey());
                }
                var answer = product.send(product.execute(arguments));
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                var result = Json.parse(answer.body());
                assertDeclared("ExecutionResult", result, 60);
                assertThat(result.get("thread_id").isNull()).isEqualTo(!thread);
                assertThat(result.get("exit_code").isNull())
                        .as(ending.getKey())
                        .isEqualTo(!List.of("success", "failed").contains(ending.getKey()));
                assertThat(result.get("signal").isNull())
                        .as(ending.getKey())
                        .isEqualTo(!ending.getKey().equals("signal"));
                assertRecord(result);
                statuses.add(result.get("status").stringValue());
            }
        }
        assertThat(statuses).contains("success", "failed", "timeout", "oom").hasSize(10);
        assertDeclared("ExecutionList", product.get("/v1/executions"), 100);
    }

    /// The record says of the call what the answer said.
    private void assertRecord(JsonNode result) throws Exception {
        var record = product.get("/v1/executions/" + result.get("run_id").stringValue());
        assertDeclared("ExecutionDetail", record, 60);
        for (var member : ENVELOPE) {
            assertThat(record.get(member)).as(member).isEqualTo(result.get(member));
        }
        assertThat(record.get("result")).isEqualTo(result.get("result"));
        assertThat(record.get("files_kept")).isEqualTo(result.get("files_kept"));
        assertThat(record.at("/envelope/arguments_digest"))
                .isEqualTo(result.get("arguments_digest"));
    }

    @Test
    void the_ledger_has_no_digest_that_needs_no_secret() throws Exception {
        var result = Json.parse(product.send(product.execute(bash("echo guess"))).body());

        assertThat(result.get("input_digest").stringValue()).startsWith("sha256:");
        assertThat(product.get("/v1/ledger?limit=5").toString())
                .contains(result.get("trace_id").stringValue())
                .doesNotContain(result.get("input_digest").stringValue().substring(7));
    }

    /// In a server with one place and nobody who waits, so that a second run is refused.
    @Test
    void what_is_cancelled_and_what_is_refused_has_them_too(@TempDir Path directory)
            throws Exception {
        var usual = product;
        try (var small =
                new TestProduct(directory, "sandbox.concurrency=1", "sandbox.queue_max=0")) {
            product = small;
            assertCancelledAndRefused();
        } finally {
            product = usual;
        }
    }

    private void assertCancelledAndRefused() throws Exception {
        var slow =
                product.lines(
                        product.execute(bash("sleep 600").put("thread_id", "busy"))
                                .header("Accept", NDJSON));
        try (var lines = slow.body()) {
            var reading = lines.iterator();
            var started = Json.parse(reading.next());
            assertThat(started.get("event").stringValue()).isEqualTo("started");
            var running = started.get("run_id").stringValue();
            assertDeclared("ExecutionDetail", product.get("/v1/executions/" + running), 50);

            assertConflict(running);
            assertNoPlace();

            var ended = product.send(product.request("/v1/executions/" + running).DELETE());
            assertDeclared("ExecutionDetail", Json.parse(ended.body()), 60);
            var last = Json.parse(reading.next());
            while (reading.hasNext()) {
                last = Json.parse(reading.next());
            }
            assertThat(last.at("/result/status").stringValue()).isEqualTo("cancelled");
            assertDeclared("ExecutionResult", last.get("result"), 60);
        }
    }

    private void assertConflict(String running) throws Exception {
        var busy = product.send(product.execute(bash("true").put("thread_id", "busy")));
        assertThat(busy.statusCode()).isEqualTo(409);
        assertConflict(Json.parse(busy.body()), running);
        assertDeclared("Error", Json.parse(busy.body()), 7);
        var execute = mcp("sandbox_execute", bash("true").put("thread_id", "busy"));
        assertConflict(structured("sandbox_execute", execute), running);
        assertThat(execute.at("/content/0/text").stringValue()).contains(running);
        assertConflict(structured("run_code", mcp("run_code", code("busy"))), running);
    }

    private static void assertConflict(JsonNode refused, String running) {
        assertThat(refused.get("status").stringValue()).isEqualTo("conflict");
        assertThat(refused.get("retryable").booleanValue()).isTrue();
        assertThat(refused.hasNonNull("retry_after_ms")).isFalse();
        assertThat(refused.get("execution_id").stringValue()).isEqualTo(running);
    }

    private void assertNoPlace() throws Exception {
        var full = product.send(product.execute(bash("true")));
        assertThat(full.statusCode()).as(full.body()).isEqualTo(429);
        assertDeclared("Error", Json.parse(full.body()), 7);
        var refusals =
                List.of(
                        Json.parse(full.body()),
                        structured("sandbox_execute", mcp("sandbox_execute", bash("true"))),
                        structured("run_code", mcp("run_code", code("other"))));
        for (var refused : refusals) {
            assertThat(refused.get("status").stringValue()).isEqualTo("no_capacity");
            assertThat(refused.get("retryable").booleanValue()).isTrue();
            assertThat(refused.get("retry_after_ms").intValue()).isPositive();
            assertThat(refused.hasNonNull("execution_id")).isFalse();
        }
        assertThat(refusals.getLast().get("success").booleanValue()).isFalse();
        assertThat(refusals.getLast().get("output")).isEqualTo(refusals.get(1).get("message"));
        assertThat(refusals.getLast().get("files")).isEmpty();
        var blocked = product.get("/v1/executions?status=blocked").get("executions");
        assertThat(blocked).hasSize(3);
        for (var each : blocked) {
            var record = product.get("/v1/executions/" + each.get("run_id").stringValue());
            assertDeclared("ExecutionDetail", record, 60);
            assertThat(record.at("/result/error/type").stringValue()).isEqualTo("blocked");
        }
    }

    @Test
    void results_have_them_over_mcp() throws Exception {
        for (var ending : endings().entrySet()) {
            var execute = mcp("sandbox_execute", ending.getValue());
            assertThat(structured("sandbox_execute", execute).has("status")).isTrue();
            assertFigures(execute, "sandbox_execute");
            var arguments = ending.getValue().deepCopy().put("conversationId", ending.getKey());
            var code = mcp("run_code", arguments);
            assertThat(structured("run_code", code).has("success")).isTrue();
            assertFigures(code, "run_code");
        }
    }

    private static void assertFigures(JsonNode result, String tool) {
        var figures = result.get("_meta").get(RunFigures.NAME);
        assertThat(DeclaredMembers.assertAllThere(SchemaOf.result(RunFigures.class), figures))
                .isGreaterThan(30);
        assertThat(figures.propertyNames()).containsAll(ENVELOPE);
        assertThat(figures.get("tool_name").stringValue()).isEqualTo(tool);
    }

    @Test
    void other_answers_have_them() throws Exception {
        product.send(product.execute(bash("echo x > a.txt").put("thread_id", "other")));
        for (var path : List.of("/v1/threads", "/v1/keys", "/v1/status", "/v1/whoami")) {
            var document = product.get("/v1/openapi.json");
            var reference =
                    document.at(
                            "/paths/"
                                    + path.replace("/", "~1")
                                    + "/get/responses/200/content/application~1json/schema/$ref");
            var name = reference.stringValue().replaceFirst(".*/", "");
            assertDeclared(name, product.get(path), 4);
        }
        var nowhere = Json.parse(product.send(product.request("/v1/executions/x")).body());
        assertDeclared("Error", nowhere, 7);
        assertThat(nowhere.get("status").stringValue()).isEqualTo("not_found");
        assertThat(nowhere.get("retryable").booleanValue()).isFalse();
    }

    private void assertDeclared(String name, JsonNode value, int atLeast) {
        assertThat(DeclaredMembers.assertAllThere(schemas.get(name), value))
                .as(name)
                .isGreaterThanOrEqualTo(atLeast);
    }

    private static ObjectNode code(String conversation) {
        return bash("true").put("conversationId", conversation);
    }

    private JsonNode mcp(String tool, ObjectNode arguments) throws Exception {
        var message = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tools/call");
        message.putObject("params").put("name", tool).set("arguments", arguments);
        return rpc(message);
    }

    private JsonNode rpc(ObjectNode message) throws Exception {
        var everything = "/mcp?toolsets=core,files,conversation";
        var lines =
                product.send(
                                TestProduct.post(product.request(everything), message)
                                        .header("Accept", "application/json, text/event-stream"))
                        .body()
                        .lines()
                        .filter(line -> line.startsWith("data: {") || line.startsWith("{"))
                        .toList();
        return Json.parse(lines.getLast().substring(lines.getLast().indexOf('{'))).get("result");
    }

    /// Conforms to what the list of tools promises, as clients check it.
    private JsonNode structured(String tool, JsonNode result) throws Exception {
        var list =
                rpc(Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tools/list"));
        for (var each : list.get("tools")) {
            if (each.get("name").stringValue().equals(tool)) {
                var value = result.get("structuredContent");
                assertThat(Schema.of(each.get("outputSchema")).complaints(value))
                        .as(Json.text(value))
                        .isEmpty();
                return value;
            }
        }
        throw new AssertionError("no " + tool);
    }
}
