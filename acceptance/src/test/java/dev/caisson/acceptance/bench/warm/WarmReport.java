package dev.caisson.acceptance.bench.warm;

import dev.caisson.acceptance.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// The figures, for people and for programs: first every goal beside its result, then where they
/// come from. Times in milliseconds.
public final class WarmReport {
    private static final double MEDIAN = 0.5;
    private static final double LATE = 0.99;

    private final Amount plan;
    private final List<Pairs> pairs = new ArrayList<>();
    private final List<Throughput> throughput = new ArrayList<>();
    private final List<Growth> growth = new ArrayList<>();
    private final Map<String, Double> waitingMib = new LinkedHashMap<>();
    private final Map<String, String> left = new LinkedHashMap<>();
    private MachineCpu cpu = MachineCpu.UNKNOWN;
    private MachineCpu bareCpu = MachineCpu.UNKNOWN;
    private Crowd burst = new Crowd(new Times(), 0, "", 0, 0);
    private LedgerCost ledger = LedgerCost.UNKNOWN;
    private StartUp startUp = new StartUp(new Times(), new Times());

    WarmReport(Amount plan) {
        this.plan = plan;
    }

    void pairs(List<Pairs> measured) {
        pairs.addAll(measured);
    }

    void throughput(List<Throughput> measured) {
        throughput.addAll(measured);
    }

    void growth(List<Growth> measured) {
        growth.addAll(measured);
    }

    void waiting(Map<String, Double> mib) {
        waitingMib.putAll(mib);
    }

    void left(Map<String, String> differences) {
        left.putAll(differences);
    }

    void cpu(MachineCpu ours, MachineCpu bare) {
        cpu = ours;
        bareCpu = bare;
    }

    void burst(Crowd measured) {
        burst = measured;
    }

    void ledger(LedgerCost measured) {
        ledger = measured;
    }

    void startUp(StartUp measured) {
        startUp = measured;
    }

    /// What is different after many runs.
    public Map<String, String> left() {
        return Map.copyOf(left);
    }

    List<Goal> goals() {
        var goals = new ArrayList<Goal>();
        goals.add(median(Row.PYTHON, Pace.PAUSED, 0.25));
        goals.add(median(Row.PYTHON, Pace.CLOSE, 0.2));
        goals.add(Goal.atMost("Python p99, with pauses", of(Row.PYTHON, Pace.PAUSED).late(), 1.0));
        goals.add(Goal.atMost("Python p99, back to back", of(Row.PYTHON, Pace.CLOSE).late(), 1.0));
        goals.add(Goal.atMost("CPU time of a run", cpu.all() / bareCpu.all(), 0.6));
        throughput.stream()
                .filter(rate -> rate.clients() == 8)
                .forEach(
                        rate -> goals.add(Goal.atLeast("sustained, 8 clients", rate.ratio(), 1.5)));
        goals.add(median(Row.SESSION, Pace.PAUSED, 0.1));
        goals.add(median(Row.NODE, Pace.PAUSED, 0.1));
        goals.add(median(Row.TYPESCRIPT, Pace.PAUSED, 0.2));
        goals.add(median(Row.BASH, Pace.PAUSED, 1.0));
        goals.add(median(Row.COLD, Pace.PAUSED, 1.5));
        goals.add(
                Goal.atMost(
                        "burst of " + plan.burst() + ", p50",
                        burst.times().millis(MEDIAN) / 1e3,
                        0.3,
                        "s"));
        goals.add(
                Goal.atMost(
                        "waiting Python sandbox",
                        waitingMib.getOrDefault("python3", Double.NaN),
                        1.0,
                        "MiB"));
        goals.add(Goal.atLeast("trivial tool, ledger on / off", ledger.ratio(), 0.85));
        goals.add(Goal.atMost("first answer, cached / plain", startUp.ratio(), 0.5));
        return goals;
    }

    private Goal median(Row row, Pace pace, double goal) {
        var measured = of(row, pace);
        return Goal.atMost(measured.name(), measured.median(), goal);
    }

    private Pairs of(Row row, Pace pace) {
        return pairs.stream()
                .filter(each -> each.row().equals(row) && each.pace() == pace)
                .findFirst()
                .orElseThrow();
    }

    /// In Markdown, to be read as it is or shown on a page.
    public String table() {
        var text = new StringBuilder("| figure | result | goal | |\n|---|---|---|---|\n");
        goals().forEach(goal -> text.append(goal.line()).append('\n'));
        line(text, "");
        line(text, "| run | runs | p50 | p99 | bare p50 | p50, ratio | p99, ratio | other |");
        line(text, "|---|---|---|---|---|---|---|---|");
        for (var each : pairs) {
            line(
                    text,
                    "| %s | %d | %.2f ms | %.2f ms | %.2f ms | %.2f | %.2f | %d |",
                    each.name(),
                    each.ours().count(),
                    each.millis(),
                    each.lateMillis(),
                    each.bareMillis(),
                    each.median(),
                    each.late(),
                    each.otherStarts());
        }
        line(text, "");
        line(
                text,
                "Ratios are to the bare process in the same run; `other`: runs that did not start");
        line(text, "as the row says. CPU time on the whole machine:");
        line(text, "");
        line(text, "- a run %s", cpu.words());
        line(text, "- a bare process %s", bareCpu.words());
        line(text, "");
        tellLoad(text);
        line(text, "");
        tellGrowth(text);
        line(text, "");
        tellRest(text);
        return text.toString();
    }

    private void tellLoad(StringBuilder text) {
        line(text, "| clients without pause | runs/s | bare/s | ratio | p50 | failed | warm |");
        line(text, "|---|---|---|---|---|---|---|");
        for (var rate : throughput) {
            line(
                    text,
                    "| %d | %.1f | %.1f | %.2f | %.1f ms | %d | %d of %d |",
                    rate.clients(),
                    rate.ours().perSecond(),
                    rate.bare().perSecond(),
                    rate.ratio(),
                    rate.ours().times().millis(MEDIAN),
                    rate.ours().failed(),
                    rate.ours().warm(),
                    rate.ours().times().count());
        }
    }

    private void tellGrowth(StringBuilder text) {
        line(text, "| stored | run, p50 | ratio | list of executions |");
        line(text, "|---|---|---|---|");
        for (var each : growth) {
            line(
                    text,
                    "| %,d %s | %.2f ms | %.2f | %.1f ms |",
                    each.count(),
                    each.what().replace("stored ", ""),
                    each.runs().millis(),
                    each.runs().median(),
                    each.list());
        }
    }

    private void tellRest(StringBuilder text) {
        line(
                text,
                "- a burst of %d: p50 %.0f ms, p99 %.0f ms, %d failed, %d warm %s",
                plan.burst(),
                burst.times().millis(MEDIAN),
                burst.times().millis(LATE),
                burst.failed(),
                burst.warm(),
                burst.why());
        line(
                text,
                "- a trivial tool: %.0f calls/s with the ledger, %.0f without",
                ledger.with(),
                ledger.without());
        waitingMib.forEach((what, mib) -> line(text, "- waiting %s: %.2f MiB", what, mib));
        line(
                text,
                "- first answer after start: %.0f ms with the start-up cache, %.0f ms without",
                startUp.cached().millis(MEDIAN),
                startUp.plain().millis(MEDIAN));
        line(
                text,
                "- after %d runs: %s",
                plan.soak(),
                left.isEmpty() ? "nothing is left" : left.toString());
    }

    private static void line(StringBuilder text, String form, Object... values) {
        text.append(String.format(Locale.ROOT, form, values).stripTrailing()).append('\n');
    }

    public ObjectNode json() {
        var json = Json.object();
        var goals = json.putArray("goals");
        for (var goal : goals()) {
            goals.addObject()
                    .put("name", goal.name())
                    .put("result", goal.result())
                    .put("goal", goal.goal())
                    .put("unit", goal.unit())
                    .put("met", goal.isMet());
        }
        var rows = json.putArray("rows");
        for (var each : pairs) {
            rows.addObject()
                    .put("name", each.name())
                    .put("runs", each.ours().count())
                    .put("p50_ms", each.millis())
                    .put("p99_ms", each.lateMillis())
                    .put("bare_p50_ms", each.bareMillis())
                    .put("ratio_p50", each.median())
                    .put("ratio_p99", each.late())
                    .put("other_starts", each.otherStarts());
        }
        var cpus = json.putObject("cpu_ms");
        put(cpus.putObject("run"), cpu);
        put(cpus.putObject("bare"), bareCpu);
        var rates = json.putArray("sustained");
        for (var rate : throughput) {
            rates.addObject()
                    .put("clients", rate.clients())
                    .put("per_second", rate.ours().perSecond())
                    .put("bare_per_second", rate.bare().perSecond())
                    .put("failed", rate.ours().failed())
                    .put("warm", rate.ours().warm());
        }
        json.putObject("burst")
                .put("runs", plan.burst())
                .put("failed", burst.failed())
                .put("warm", burst.warm())
                .put("p50_ms", burst.times().millis(MEDIAN))
                .put("p99_ms", burst.times().millis(LATE));
        var grown = json.putArray("growth");
        for (var each : growth) {
            grown.addObject()
                    .put("what", each.what())
                    .put("count", each.count())
                    .put("p50_ms", each.runs().millis())
                    .put("ratio_p50", each.runs().median())
                    .put("list_ms", each.list());
        }
        waitingMib.forEach(json.putObject("waiting_mib")::put);
        json.putObject("trivial_calls_per_second")
                .put("ledger", ledger.with())
                .put("no_ledger", ledger.without());
        json.putObject("first_answer_ms")
                .put("cached", startUp.cached().millis(MEDIAN))
                .put("plain", startUp.plain().millis(MEDIAN));
        var after = json.putObject("left_after_runs").put("runs", plan.soak());
        left.forEach(after::put);
        return json;
    }

    private static void put(ObjectNode json, MachineCpu cpu) {
        json.put("all", cpu.all())
                .put("user", cpu.user())
                .put("system", cpu.system())
                .put("kernel_threads", cpu.kernelThreads());
    }
}
