package dev.caisson.acceptance.bench.warm;

import dev.caisson.json.Json;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// The figures, for people and for programs. Times in milliseconds.
///
/// @param stages means of where the time of a run goes inside the server, over all warm rows
/// @param waitingMib proportional memory of one waiting sandbox
/// @param left what was different after many runs
public record WarmReport(
        Amount plan,
        Interleaved rounds,
        Map<String, Double> stages,
        Map<String, Double> waitingMib,
        Crowd bare,
        Crowd sustained,
        Crowd burst,
        Map<String, String> left) {
    private static final double MEDIAN = 0.5;
    private static final double LATE = 0.99;
    private static final double SUSTAINED_GOAL = 0.6;
    private static final Map<String, Double> MIB_GOALS =
            Map.of("python3", 8.0, "node", 12.0, "typescript", 12.0, "bash", 1.0);

    public String table() {
        var text = new StringBuilder();
        text.append(
                "%-16s %5s %9s %9s %9s %9s %9s %9s%n"
                        .formatted(
                                "row",
                                "runs",
                                "p50 ms",
                                "p99 ms",
                                "bare p50",
                                "p50 x",
                                "p99 x",
                                "goal p50"));
        for (var row : rounds.rows()) {
            text.append(
                    "%-16s %5d %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f%n"
                            .formatted(
                                    row.name(),
                                    rounds.of(row).count(),
                                    rounds.of(row).millis(MEDIAN),
                                    rounds.of(row).millis(LATE),
                                    rounds.of(row.bare()).millis(MEDIAN),
                                    ratio(row, MEDIAN),
                                    ratio(row, LATE),
                                    row.goal()));
        }
        text.append("runs that did not start as their row says: %d%n".formatted(rounds.missed()));
        text.append("stages of a warm run, mean ms: ");
        stages.forEach((stage, mean) -> text.append("%s %.2f  ".formatted(stage, mean)));
        text.append(
                "%nsustained, %d clients: %.1f/s, %.2f x bare %.1f/s (goal %.2f), %d failed, %d of %d warm%n"
                        .formatted(
                                plan.clients(),
                                sustained.perSecond(),
                                sustainedRatio(),
                                bare.perSecond(),
                                SUSTAINED_GOAL,
                                sustained.failed(),
                                sustained.warm(),
                                sustained.times().count()));
        text.append(
                "burst of %d: p50 %.0f ms, p99 %.0f ms, %d failed, %d warm %s%n"
                        .formatted(
                                plan.burst(),
                                burst.times().millis(MEDIAN),
                                burst.times().millis(LATE),
                                burst.failed(),
                                burst.warm(),
                                burst.why()));
        waitingMib.forEach((what, mib) ->
                text.append(
                        "waiting %s: %.1f MiB (goal %.0f)%n"
                                .formatted(what, mib, MIB_GOALS.getOrDefault(what, Double.NaN))));
        text.append(
                "after %d runs: %s%n"
                        .formatted(plan.soak(), left.isEmpty() ? "nothing is left" : left));
        return text.toString();
    }

    public double ratio(Row row, double quantile) {
        return rounds.of(row).millis(quantile) / rounds.of(row.bare()).millis(MEDIAN);
    }

    double sustainedRatio() {
        return sustained.perSecond() / bare.perSecond();
    }

    public ObjectNode json() {
        var json = Json.object().put("rounds", plan.rounds()).put("missed", rounds.missed());
        var bareness = json.putObject("bare");
        for (var each : Row.Bare.values()) {
            bareness.putObject(each.name().toLowerCase(Locale.ROOT))
                    .put("p50_ms", rounds.of(each).millis(MEDIAN))
                    .put("p99_ms", rounds.of(each).millis(LATE));
        }
        var rows = json.putObject("rows");
        for (var row : rounds.rows()) {
            rows.putObject(row.name())
                    .put("runs", rounds.of(row).count())
                    .put("p50_ms", rounds.of(row).millis(MEDIAN))
                    .put("p99_ms", rounds.of(row).millis(LATE))
                    .put("ratio_p50", ratio(row, MEDIAN))
                    .put("ratio_p99", ratio(row, LATE))
                    .put("goal_p50", row.goal());
        }
        put(json.putObject("stages_mean_ms"), stages);
        put(json.putObject("waiting_mib"), waitingMib);
        json.putObject("sustained")
                .put("per_second", sustained.perSecond())
                .put("bare_per_second", bare.perSecond())
                .put("ratio", sustainedRatio())
                .put("goal", SUSTAINED_GOAL)
                .put("failed", sustained.failed())
                .put("warm", sustained.warm());
        json.putObject("burst")
                .put("runs", plan.burst())
                .put("failed", burst.failed())
                .put("warm", burst.warm())
                .put("p50_ms", burst.times().millis(MEDIAN))
                .put("p99_ms", burst.times().millis(LATE));
        var after = json.putObject("left_after_runs").put("runs", plan.soak());
        left.forEach(after::put);
        return json;
    }

    private static void put(ObjectNode into, Map<String, Double> values) {
        values.forEach(into::put);
    }
}
