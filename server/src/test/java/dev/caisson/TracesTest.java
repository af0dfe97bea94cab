package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.json.Json;
import dev.caisson.telemetry.TestCollector;
import dev.caisson.telemetry.TestCollector.Seen;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What a collector sees of calls, from a client's request to a real sandbox and back.
@Tag("root")
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TracesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PARENT = "00f067aa0ba902b7";
    private static final List<String> COLD =
            List.of(
                    "tool.sandbox_execute",
                    "sandbox.queue",
                    "sandbox.boot",
                    "sandbox.attach",
                    "sandbox.run",
                    "sandbox.teardown");

    private TestCollector collector;
    private TestProduct product;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        collector = new TestCollector();
        product =
                new TestProduct(
                        directory,
                        "sandbox.pool_memory_bytes=0B",
                        "telemetry.otlp_endpoint=" + collector.endpoint(),
                        "telemetry.otlp_headers=x-collector-key=open-sesame",
                        "telemetry.service_name=box-7");
    }

    @AfterAll
    void stop() {
        product.close();
        collector.close();
    }

    private static String traceparent(String trace, String flags) {
        return "00-" + trace + "-" + PARENT + "-" + flags;
    }

    private List<Seen> of(String trace) {
        return collector.spans().stream().filter(span -> span.trace().equals(trace)).toList();
    }

    private List<Seen> awaitTrace(String trace) {
        return await().atMost(PATIENCE).until(() -> of(trace), spans -> !spans.isEmpty());
    }

    private JsonNode execute(String code, String traceparent) throws Exception {
        var request = product.execute(TestProduct.bash(code)).header("traceparent", traceparent);
        return Json.parse(product.send(request).body());
    }

    @Test
    void a_run_is_a_span_below_its_callers_with_one_for_each_stage() throws Exception {
        var trace = "a".repeat(32);
        var report = execute("sleep 0.3; exit 3", traceparent(trace, "01"));
        var spans = awaitTrace(trace);

        assertThat(spans).extracting(Seen::name).containsExactlyElementsOf(COLD);
        var call = spans.getFirst();
        assertThat(call.parent()).isEqualTo(PARENT);
        assertThat(call.kind()).isEqualTo(2);
        assertThat(call.status()).isEqualTo(2);
        assertThat(call.words())
                .containsEntry("caisson.tool", "sandbox_execute")
                .containsEntry("caisson.door", "rest")
                .containsEntry("caisson.status", "failed")
                .containsEntry("caisson.error", "exit code 3")
                .containsKey("caisson.caller")
                .hasSize(6);
        assertThat(report.toString()).contains(call.words().get("caisson.execution"));
        assertStages(call, spans.subList(1, spans.size()));
        assertThat(collector.received().getFirst().headers())
                .containsEntry("x-collector-key", "open-sesame");
        assertThat(collector.everything()).contains("box-7");
    }

    /// One follows the other, all within the call.
    private static void assertStages(Seen call, List<Seen> stages) {
        var last = call.startNanos();
        for (var stage : stages) {
            assertThat(stage.parent()).isEqualTo(call.id());
            assertThat(stage.kind()).isEqualTo(1);
            assertThat(stage.words())
                    .isEqualTo(
                            Map.of(
                                    "caisson.language", "bash",
                                    "caisson.start", "cold",
                                    "caisson.status", "failed"));
            assertThat(stage.startNanos()).isGreaterThanOrEqualTo(last);
            assertThat(stage.endNanos()).isGreaterThanOrEqualTo(stage.startNanos());
            last = stage.endNanos();
        }
        assertThat(last).isLessThanOrEqualTo(call.endNanos());
        var run = stages.get(3);
        assertThat(run.endNanos() - run.startNanos())
                .isGreaterThanOrEqualTo(Duration.ofMillis(300).toNanos());
        assertThat(stages).extracting(Seen::id).doesNotHaveDuplicates().doesNotContain(call.id());
    }

    /// Of a tool of our own: those of other servers have steps of their own, see TracedCallsTest.
    @Test
    void calls_of_a_program_are_spans_below_its_run() throws Exception {
        var trace = "7".repeat(32);
        var arguments =
                Json.object()
                        .put("language", "python")
                        .put(
                                "code",
                                "import caisson\nfor _ in range(2): caisson.servers.caisson.list_runners()");
        arguments.putArray("tools").add("caisson.*");
        product.send(product.execute(arguments).header("traceparent", traceparent(trace, "01")));
        var spans =
                await().atMost(PATIENCE)
                        .until(
                                () -> of(trace),
                                seen ->
                                        seen.stream()
                                                                .filter(span ->
                                                                        span.name()
                                                                                .equals(
                                                                                        "broker.call"))
                                                                .count()
                                                        == 2
                                                && seen.stream()
                                                        .anyMatch(span ->
                                                                span.name().equals("sandbox.run")));
        var run =
                spans.stream()
                        .filter(span -> span.name().equals("sandbox.run"))
                        .findFirst()
                        .orElseThrow();
        assertThat(spans)
                .filteredOn(span -> span.name().equals("broker.call"))
                .hasSize(2)
                .allSatisfy(span -> {
                    assertThat(span.parent()).isEqualTo(run.id());
                    assertThat(span.words())
                            .containsEntry("caisson.door", "sandbox")
                            .containsEntry("caisson.tool", "list_runners");
                });
    }

    @Test
    void over_mcp_the_trace_of_the_request_itself_counts() throws Exception {
        var trace = "b".repeat(32);
        var message = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tools/call");
        var params = message.putObject("params").put("name", "sandbox_execute");
        params.set("arguments", TestProduct.bash("true"));
        params.putObject("_meta").put("traceparent", traceparent(trace, "01"));
        product.send(
                TestProduct.post(product.request("/mcp"), message)
                        .header("Accept", "application/json, text/event-stream")
                        .header("traceparent", traceparent("c".repeat(32), "01")));

        var spans = awaitTrace(trace);
        assertThat(spans).extracting(Seen::name).containsExactlyElementsOf(COLD);
        assertThat(spans.getFirst().words())
                .containsEntry("caisson.door", "mcp")
                .containsEntry("caisson.status", "success");
        assertThat(of("c".repeat(32))).isEmpty();
    }

    @Test
    void a_program_of_a_session_has_the_stages_it_came_to() throws Exception {
        var trace = "4".repeat(32);
        var arguments = TestProduct.bash("true").put("thread_id", "s1").put("session", true);
        for (int n = 0; n < 2; n++) {
            product.send(
                    product.execute(arguments).header("traceparent", traceparent(trace, "01")));
        }

        var spans = await().atMost(PATIENCE).until(() -> of(trace), all -> all.size() >= 8);
        assertThat(spans)
                .extracting(Seen::name)
                .startsWith(
                        "tool.sandbox_execute", "sandbox.queue", "sandbox.attach", "sandbox.run")
                .hasSize(8);
        assertThat(spans.get(4).parent()).isEqualTo(PARENT);
        assertThat(spans.get(5).parent()).isEqualTo(spans.get(4).id());
    }

    @Test
    void whoever_does_not_want_spans_gets_none() throws Exception {
        execute("true", traceparent("d".repeat(32), "00"));
        execute("true", traceparent("e".repeat(32), "01"));
        awaitTrace("e".repeat(32));
        assertThat(of("d".repeat(32))).isEmpty();
    }

    @Test
    void a_call_without_a_trace_begins_one() throws Exception {
        var request = product.execute(TestProduct.bash("true"));
        var trace = Json.parse(product.send(request).body()).path("trace_id").stringValue();

        assertThat(awaitTrace(trace).getFirst().parent()).isEmpty();
    }

    @Test
    void a_refused_call_is_a_span_too() throws Exception {
        var trace = "1".repeat(32);
        var request = product.execute(TestProduct.bash("true").put("language", "no-such-thing"));
        product.send(request.header("traceparent", traceparent(trace, "01")));

        var spans = awaitTrace(trace);
        assertThat(spans).hasSize(1);
        assertThat(spans.getFirst().words())
                .containsEntry("caisson.status", "refused:invalid_argument")
                .containsEntry("caisson.error", "invalid_argument");
        assertThat(collector.everything()).doesNotContain("no-such-thing");
    }

    @Test
    void nothing_of_what_was_asked_or_answered_is_in_a_span() throws Exception {
        var trace = "2".repeat(32);
        var arguments =
                TestProduct.bash("echo code-tells$((40 + 2)); echo $WORD | rev >&2; exit 1");
        arguments.putObject("env_vars").put("WORD", "variable-tells");
        arguments.put("thread_id", "thread-tells");
        arguments.putObject("metadata").put("note", "metadata-tells");
        var answer =
                product.send(
                        product.execute(arguments)
                                .header("traceparent", traceparent(trace, "01"))
                                .header("tracestate", "state=tells"));
        assertThat(answer.body()).contains("code-tells42");

        assertThat(awaitTrace(trace)).hasSize(COLD.size());
        assertThat(collector.everything()).doesNotContain("tells", "WORD", product.key);
        for (var request : collector.received()) {
            assertThat(request.body()).doesNotContain("open-sesame");
        }
    }

    @Test
    void what_has_not_been_sent_is_when_the_server_stops(@TempDir Path directory) throws Exception {
        var trace = "3".repeat(32);
        try (var other =
                new TestProduct(
                        directory,
                        "sandbox.pool_memory_bytes=0B",
                        "telemetry.otlp_endpoint=" + collector.endpoint() + "/sub/")) {
            other.send(
                    other.execute(TestProduct.bash("true"))
                            .header("traceparent", traceparent(trace, "01")));
        }

        assertThat(of(trace)).hasSize(COLD.size());
        assertThat(collector.received())
                .extracting(TestCollector.Received::path)
                .contains("/sub/v1/traces");
    }

    @Test
    void calls_do_not_notice_that_there_is_no_collector(@TempDir Path directory) throws Exception {
        var gone = new TestCollector();
        gone.close();
        try (var other = new TestProduct(directory, "telemetry.otlp_endpoint=" + gone.endpoint())) {
            for (int n = 0; n < 3; n++) {
                var answer = other.send(other.execute(TestProduct.bash("echo fine")));
                assertThat(answer.body()).contains("fine");
            }
            await().atMost(PATIENCE)
                    .until(() ->
                            other.send(other.request("/metrics"))
                                    .body()
                                    .contains(
                                            "caisson_spans_dropped_total{reason=\"not_delivered\"}"));
        }
    }

    @Test
    void without_an_endpoint_nothing_is_made(@TempDir Path directory) throws Exception {
        try (var other = new TestProduct(directory)) {
            other.send(other.execute(TestProduct.bash("true")));
            assertThat(other.send(other.request("/metrics")).body())
                    .contains("caisson_spans_exported_total 0.0")
                    .doesNotContain("caisson_spans_dropped_total{");
        }
    }
}
