package dev.caisson.acceptance.bench;

import dev.caisson.acceptance.Json;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// The figures, for people and for programs.
///
/// @param byConnections by number of connections and contestant, the best round
/// @param kibPerStream resident memory of one idle stream
record Report(Map<Integer, Map<String, Sample>> byConnections, double kibPerStream, int streams) {
    static final String SDK = "MCP Java SDK 2.1.0, 2025-11-25";
    static final String LEGACY = "Caisson, 2025-11-25";
    static final String MODERN = "Caisson, 2026-07-28";

    private static final double THROUGHPUT_GOAL = 2.0;
    private static final double LATENCY_GOAL = 0.6;
    private static final double STREAM_GOAL = 12;

    String table() {
        var text = new StringBuilder();
        text.append(
                "%-32s %5s %9s %10s %10s%n"
                        .formatted("server", "conns", "req/s", "p50 us", "p99 us"));
        byConnections.forEach((connections, samples) ->
                samples.forEach((name, sample) ->
                        text.append(
                                "%-32s %5d %9.0f %10.1f %10.1f%n"
                                        .formatted(
                                                name,
                                                connections,
                                                sample.perSecond(),
                                                sample.micros(0.5),
                                                sample.micros(0.99)))));
        goal(
                text,
                "throughput at 16, 2025-11-25",
                throughput(LEGACY),
                "x, at least",
                THROUGHPUT_GOAL);
        goal(
                text,
                "throughput at 16, 2026-07-28",
                throughput(MODERN),
                "x, at least",
                THROUGHPUT_GOAL);
        goal(text, "p50 at 1, 2025-11-25", latency(LEGACY), "x, at most", LATENCY_GOAL);
        goal(text, "p50 at 1, 2026-07-28", latency(MODERN), "x, at most", LATENCY_GOAL);
        goal(text, "RSS per idle stream at " + streams, kibPerStream, " KiB, at most", STREAM_GOAL);
        return text.toString();
    }

    private static void goal(
            StringBuilder text, String what, double value, String relation, double goal) {
        text.append("%-40s %8.2f%s %.1f%n".formatted(what, value, relation, goal));
    }

    boolean goalsMet() {
        return throughput(LEGACY) >= THROUGHPUT_GOAL
                && throughput(MODERN) >= THROUGHPUT_GOAL
                && latency(LEGACY) <= LATENCY_GOAL
                && latency(MODERN) <= LATENCY_GOAL
                && kibPerStream <= STREAM_GOAL;
    }

    private double throughput(String name) {
        return sample(16, name).perSecond() / sample(16, SDK).perSecond();
    }

    private double latency(String name) {
        return sample(1, name).micros(0.5) / sample(1, SDK).micros(0.5);
    }

    private Sample sample(int connections, String name) {
        return byConnections
                .getOrDefault(connections, Map.of())
                .getOrDefault(name, new Sample(Double.NaN, new long[0]));
    }

    ObjectNode json() {
        var json = Json.object();
        byConnections.forEach((connections, samples) ->
                samples.forEach((name, sample) ->
                        json.withArray("rounds")
                                .addObject()
                                .put("server", name)
                                .put("connections", connections)
                                .put("per_second", sample.perSecond())
                                .put("p50_micros", sample.micros(0.5))
                                .put("p99_micros", sample.micros(0.99))));
        json.putObject("ratios")
                .put("throughput_16_legacy", throughput(LEGACY))
                .put("throughput_16_modern", throughput(MODERN))
                .put("p50_1_legacy", latency(LEGACY))
                .put("p50_1_modern", latency(MODERN));
        return json.put("idle_stream_kib", kibPerStream)
                .put("idle_streams", streams)
                .put("goals_met", goalsMet());
    }
}
