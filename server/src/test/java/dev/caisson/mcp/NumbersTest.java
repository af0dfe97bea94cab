package dev.caisson.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.telemetry.LogCapture;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What operators see of the protocol: metrics and the log.
class NumbersTest extends McpTestCase {
    /// What a request moves; the metrics of programs (`caisson_run…`, `caisson_pool…`) and of their
    /// files and secrets move where programs run, see MetricsServiceTest, those of spans
    /// (`caisson_spans…`) where there is a collector, that of drift where results are learned from,
    /// see LearnedTypesTest.
    private List<? extends MetricSnapshot> ours() {
        return server.metrics.registry().scrape().stream()
                .filter(snapshot -> snapshot.getMetadata().getName().startsWith("caisson_"))
                .filter(snapshot ->
                        !snapshot.getMetadata()
                                .getName()
                                .matches(
                                        "caisson_(run|pool|spans|file_bytes|refused_paths|redactions|bakes|tool_drift).*"))
                .toList();
    }

    private static boolean moved(MetricSnapshot snapshot) {
        return switch (snapshot) {
            case CounterSnapshot counter ->
                    counter.getDataPoints().stream().anyMatch(point -> point.getValue() > 0);
            case GaugeSnapshot gauge ->
                    gauge.getDataPoints().stream().anyMatch(point -> point.getValue() > 0);
            case HistogramSnapshot histogram ->
                    histogram.getDataPoints().stream().anyMatch(point -> point.getCount() > 0);
            default -> throw new IllegalStateException("no such metric is ours");
        };
    }

    private void collectMoved(Set<String> names) {
        ours().stream()
                .filter(NumbersTest::moved)
                .forEach(snapshot -> names.add(snapshot.getMetadata().getName()));
    }

    @Test
    void every_metric_moves() throws Exception {
        var seen = new HashSet<String>();
        alice.send(alice.request("/mcp").setHeader("Authorization", "").GET());
        try (var _ = alice.open(alice.modernTool("1", "wait"))) {
            collectMoved(seen);
        }
        alice.send(alice.modernTool("2", "broken"));
        for (var repetition = 0; repetition < 3; repetition++) {
            alice.send(alice.legacyTool("3", "echo"));
        }
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> {
                    collectMoved(seen);
                    assertThat(seen)
                            .containsAll(
                                    ours().stream().map(s -> s.getMetadata().getName()).toList());
                });
        assertThat(seen).hasSize(13);
    }

    private String scraped() {
        return new String(server.metrics.scrape(), StandardCharsets.UTF_8);
    }

    @Test
    void calls_are_counted_by_how_they_end() throws Exception {
        for (var tool : List.of("echo", "busy", "broken", "ask", "nothing-known")) {
            alice.send(alice.modernTool("1", tool));
        }
        assertThat(scraped())
                .contains(
                        "caisson_tool_calls_total{outcome=\"ok\",tool=\"echo\",upstream=\"\"} 1.0")
                .contains(
                        "caisson_tool_calls_total{outcome=\"conflict\",tool=\"busy\",upstream=\"\"} 1.0")
                .contains(
                        "caisson_tool_calls_total{outcome=\"fault\",tool=\"broken\",upstream=\"\"} 1.0")
                .contains(
                        "caisson_tool_calls_total{outcome=\"suspended\",tool=\"ask\",upstream=\"\"} 1.0")
                .contains(
                        "caisson_tool_calls_total{outcome=\"unknown_tool\",tool=\"unknown\",upstream=\"\"} 1.0")
                .contains(
                        "caisson_mcp_requests_total{method=\"tools/call\",revision=\"2026-07-28\"} 5.0")
                .doesNotContain("nothing-known");
    }

    @Test
    void strangers_cannot_make_up_numbers() throws Exception {
        for (int n = 0; n < 5; n++) {
            alice.send(alice.legacy("1", "made/up" + n, ""));
            alice.send(alice.modern("1", "made/up" + n, "", ""));
        }
        assertThat(scraped())
                .contains("{method=\"unknown\",revision=\"2025-03-26\"} 5.0")
                .contains("{method=\"unknown\",revision=\"2026-07-28\"} 5.0")
                .doesNotContain("made/up");
    }

    @Test
    void a_request_has_one_line_with_names_and_no_arguments() throws Exception {
        try (var log = new LogCapture()) {
            alice.send(
                    alice.modern(
                            "1",
                            "tools/call",
                            "echo",
                            "\"name\":\"echo\",\"arguments\":{\"code\":\"SECRET-1\"}"));
            alice.send(alice.modernTool("2", "MADE-UP"));
            await().atMost(Duration.ofSeconds(30)).until(() -> lines(log).size() == 2);
            assertThat(lines(log).getFirst())
                    .contains("\"rpc\":\"tools/call\"")
                    .contains("\"revision\":\"2026-07-28\"")
                    .contains("\"tool\":\"echo\"")
                    .contains("\"caller\":\"alice\"");
            assertThat(log.text()).doesNotContain("SECRET-1").doesNotContain("MADE-UP");
        }
    }

    @Test
    void a_request_over_stdio_has_one_too() throws Exception {
        var input =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\","
                        + "\"arguments\":{\"code\":\"SECRET-2\"}}}\n";
        try (var log = new LogCapture()) {
            server.mcp.stdio(
                    dev.caisson.call.Caller.LOCAL,
                    new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                    new ByteArrayOutputStream());
            await().atMost(Duration.ofSeconds(30)).until(() -> lines(log).size() == 1);
            assertThat(lines(log).getFirst())
                    .contains("\"rpc\":\"tools/call\"", "\"tool\":\"echo\"")
                    .contains("\"outcome\":\"result\"", "\"revision\":\"2025-11-25\"")
                    .contains("\"caller\":\"" + dev.caisson.call.Caller.LOCAL.name() + "\"");
            assertThat(log.text()).doesNotContain("SECRET-2");
        }
    }

    private static List<String> lines(LogCapture log) {
        return log.text()
                .lines()
                .filter(line -> line.contains("\"rpc\"") || line.contains("\"path\""))
                .toList();
    }
}
