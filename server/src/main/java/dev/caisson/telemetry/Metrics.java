package dev.caisson.telemetry;

import dev.caisson.config.Version;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/// Every metric of the product, by name, in a registry of its own. Labels hold only words from a
/// closed set (a route, a status, a tool's name that exists) or the ids of a bounded number of
/// keys, never what a client sent.
public final class Metrics {
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final double[] SECONDS = {
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300
    };

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Counter httpRequests =
            counter("caisson_http_requests", "HTTP requests answered.", "route", "status");
    private final Histogram httpSeconds =
            seconds("caisson_http_request_seconds", "Time until the answer was sent.", "route");
    private final Gauge httpInFlight =
            gauge("caisson_http_requests_in_flight", "HTTP requests being handled now.");
    private final Gauge httpStreams =
            gauge("caisson_http_streams_open", "Answers held open as streams now.");
    private final Counter refusals =
            counter("caisson_refusals", "Requests refused over HTTP, by reason.", "reason");
    private final Counter faults = counter("caisson_faults", "Faults of our own, see the log.");
    private final Counter authFailures =
            counter("caisson_auth_failures", "Requests without a valid key.");
    private final Counter mcpRequests =
            counter("caisson_mcp_requests", "MCP messages served.", "revision", "method");
    private final Counter toolCalls =
            counter(
                    "caisson_tool_calls",
                    "Calls of tools and actions ended.",
                    "tool",
                    "upstream",
                    "outcome");
    private final Histogram toolSeconds =
            seconds("caisson_tool_call_seconds", "Time a tool call took.", "tool", "upstream");
    private final Gauge keyErrorRate =
            labelled(
                    "caisson_key_error_rate",
                    "Share of the last 100 tool calls of a key that failed or were refused.",
                    "key");
    private final Counter keyRepetitions =
            counter(
                    "caisson_key_repetitions",
                    "Tool calls that were the third or a later one with the same arguments within"
                            + " 10 minutes.",
                    "key");
    private final Counter runs =
            counter("caisson_runs", "Programs that were run.", "language", "status");
    private final Counter runExitCodes =
            counter(
                    "caisson_run_exit_codes",
                    "Programs that ended by themselves (0 to 255) or by a signal (128 and its"
                            + " number).",
                    "language",
                    "code");
    private final Histogram runSeconds =
            seconds("caisson_run_seconds", "Time a program ran.", "language");
    private final Histogram runStageSeconds =
            seconds("caisson_run_stage_seconds", "Time of each stage of a run.", "stage");
    private final Counter poolTakes =
            counter(
                    "caisson_pool_takes",
                    "Runs that asked for a waiting sandbox.",
                    "runner",
                    "result");
    private final Histogram poolRefillSeconds =
            seconds("caisson_pool_refill_seconds", "Time to make a sandbox that waits.", "runner");

    private final Counter bakes =
            counter("caisson_bakes", "Bakes of environments that ended.", "outcome");

    private final Counter redactions =
            counter("caisson_redactions", "Secrets taken out of what leaves, by kind.", "kind");
    private final Counter fileBytesRead =
            counter("caisson_file_bytes_read", "Bytes of files handed out, archives as packed.");
    private final Counter fileBytesWritten =
            counter("caisson_file_bytes_written", "Bytes of files stored for callers.");
    private final Counter refusedPaths =
            counter(
                    "caisson_refused_paths",
                    "Paths that were refused: none that a file can have, or one that leads over a"
                            + " link.",
                    "kind");

    private final Counter toolDrift =
            counter(
                    "caisson_tool_drift",
                    "Results of other servers' tools with a member or a type that those before had"
                            + " not.",
                    "upstream");

    private final Counter spansExported =
            counter("caisson_spans_exported", "Spans a collector has taken.");
    private final Counter spansDropped =
            counter("caisson_spans_dropped", "Spans that no collector has, by reason.", "reason");

    public Metrics() {
        JvmMetrics.builder().register(registry);
        labelled("caisson_build_info", "Always 1; the labels say what runs.", "version", "java")
                .labelValues(Version.TEXT, Runtime.version().toString())
                .set(1);
    }

    public Counter httpRequests() {
        return httpRequests;
    }

    public Histogram httpSeconds() {
        return httpSeconds;
    }

    public Gauge httpInFlight() {
        return httpInFlight;
    }

    public Gauge httpStreams() {
        return httpStreams;
    }

    public Counter refusals() {
        return refusals;
    }

    public Counter faults() {
        return faults;
    }

    public Counter authFailures() {
        return authFailures;
    }

    public Counter mcpRequests() {
        return mcpRequests;
    }

    public Counter toolCalls() {
        return toolCalls;
    }

    public Histogram toolSeconds() {
        return toolSeconds;
    }

    public Gauge keyErrorRate() {
        return keyErrorRate;
    }

    public Counter keyRepetitions() {
        return keyRepetitions;
    }

    public Counter runExitCodes() {
        return runExitCodes;
    }

    public Counter fileBytesRead() {
        return fileBytesRead;
    }

    public Counter fileBytesWritten() {
        return fileBytesWritten;
    }

    public Counter refusedPaths() {
        return refusedPaths;
    }

    public Counter toolDrift() {
        return toolDrift;
    }

    public Counter runs() {
        return runs;
    }

    public Histogram runSeconds() {
        return runSeconds;
    }

    public Histogram runStageSeconds() {
        return runStageSeconds;
    }

    public Counter poolTakes() {
        return poolTakes;
    }

    public Histogram poolRefillSeconds() {
        return poolRefillSeconds;
    }

    public Counter bakes() {
        return bakes;
    }

    public Counter redactions() {
        return redactions;
    }

    public Counter spansExported() {
        return spansExported;
    }

    public Counter spansDropped() {
        return spansDropped;
    }

    /// A gauge whose value is asked for at every scrape.
    public void watch(String name, String help, DoubleSupplier value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .callback(gauge -> gauge.call(value.getAsDouble()))
                .register(registry);
    }

    /// The same with one value for each word a label can have.
    public void watch(
            String name, String help, String label, Supplier<Map<String, Double>> values) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(label)
                .callback(gauge -> values.get().forEach((word, value) -> gauge.call(value, word)))
                .register(registry);
    }

    /// The same with several labels, whose words stand in one order.
    public void watch(
            String name,
            String help,
            List<String> labels,
            Supplier<Map<List<String>, Double>> values) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(labels.toArray(String[]::new))
                .callback(gauge ->
                        values.get()
                                .forEach((words, value) ->
                                        gauge.call(value, words.toArray(String[]::new))))
                .register(registry);
    }

    /// One that only grows, with one value for each word a label can have.
    public void count(
            String name, String help, String label, Supplier<Map<String, Double>> values) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(label)
                .callback(
                        counter -> values.get().forEach((word, value) -> counter.call(value, word)))
                .register(registry);
    }

    /// For metrics that a room reads from elsewhere at scrape time.
    public PrometheusRegistry registry() {
        return registry;
    }

    /// The current values in Prometheus' text format, [#CONTENT_TYPE].
    public byte[] scrape() {
        var out = new ByteArrayOutputStream(16 * 1024);
        try {
            PrometheusTextFormatWriter.create().write(out, registry.scrape());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private Counter counter(String name, String help, String... labels) {
        return Counter.builder().name(name).help(help).labelNames(labels).register(registry);
    }

    private Gauge gauge(String name, String help) {
        return labelled(name, help);
    }

    private Gauge labelled(String name, String help, String... labels) {
        return Gauge.builder().name(name).help(help).labelNames(labels).register(registry);
    }

    private Histogram seconds(String name, String help, String... labels) {
        return Histogram.builder()
                .name(name)
                .help(help)
                .labelNames(labels)
                .classicOnly()
                .classicUpperBounds(SECONDS)
                .register(registry);
    }
}
