package dev.caisson.acceptance.bench.warm;

import dev.caisson.acceptance.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// The figures, for people and for programs: first every goal beside its result, then where they
/// come from. Times in milliseconds.
public final class WarmReport {
    private static final double MEDIAN = 0.5;
    private static final double LATE = 0.99;

    static final String A_RUN = "a run of Python";
    static final String A_RUN_WITH_PACKAGES = "a run of Python with packages";
    static final String A_BARE_PROCESS = "a bare process";

    private final Amount plan;
    private final List<Comparison> compared = new ArrayList<>();
    private final List<Throughput> throughput = new ArrayList<>();
    private final List<Growth> growth = new ArrayList<>();
    private final Map<String, Inhabitants.Waiting> waiting = new LinkedHashMap<>();
    private final Map<String, MachineCpu> cpu = new LinkedHashMap<>();
    private final Map<String, String> left = new LinkedHashMap<>();
    private String noPackages = "";
    private Crowd burst = Crowd.NOBODY;
    private LedgerCost ledger = LedgerCost.UNKNOWN;
    private StartUp startUp = new StartUp(new Times(), new Times());

    WarmReport(Amount plan) {
        this.plan = plan;
        this.noPackages = plan.packages() ? "" : "not asked for";
    }

    void compared(List<Comparison> measured) {
        compared.addAll(measured);
    }

    void throughput(List<Throughput> measured) {
        throughput.addAll(measured);
    }

    void growth(List<Growth> measured) {
        growth.addAll(measured);
    }

    void waiting(String what, Inhabitants.Waiting measured) {
        waiting.put(what, measured);
    }

    void withoutPackages(String why) {
        noPackages = why;
    }

    void left(Map<String, String> differences) {
        left.putAll(differences);
    }

    void cpu(String what, MachineCpu measured) {
        cpu.put(what, measured);
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

    /// What there is more of after many runs.
    public Map<String, String> left() {
        return Map.copyOf(left);
    }

    List<Goal> goals() {
        var goals = new ArrayList<Goal>();
        goals.add(median(Row.PYTHON, Pace.PAUSED, 0.25));
        goals.add(median(Row.PYTHON, Pace.CLOSE, 0.2));
        goals.add(late(Row.PYTHON, Pace.PAUSED));
        goals.add(late(Row.PYTHON, Pace.CLOSE));
        goals.add(cpuGoal(A_RUN));
        if (noPackages.isEmpty()) {
            goals.add(median(Row.PACKAGES, Pace.PAUSED, 0.25));
            goals.add(median(Row.PACKAGES, Pace.CLOSE, 0.2));
            goals.add(late(Row.PACKAGES, Pace.PAUSED));
            goals.add(late(Row.PACKAGES, Pace.CLOSE));
            goals.add(cpuGoal(A_RUN_WITH_PACKAGES));
        }
        throughput.stream()
                .filter(rate -> rate.clients() == 8)
                .forEach(
                        rate -> goals.add(Goal.atLeast("sustained, 8 clients", rate.ratio(), 1.5)));
        goals.add(median(Row.SESSION, Pace.PAUSED, 0.1));
        goals.add(median(Row.SESSION, Pace.CLOSE, 0.1));
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
        goals.add(waitingGoal("python3, nest"));
        if (noPackages.isEmpty()) {
            goals.add(waitingGoal("python3, nest, with packages"));
        }
        goals.add(Goal.atLeast("trivial tool, ledger on / off", ledger.ratio(), 0.85));
        goals.add(Goal.atMost("first answer, cached / plain", startUp.ratio(), 0.5));
        return goals;
    }

    private boolean hasNests() {
        return waiting.keySet().stream().anyMatch(what -> what.startsWith(Inhabitants.NEST_OF));
    }

    private Goal waitingGoal(String what) {
        var measured = Optional.ofNullable(waiting.get(what));
        return Goal.atMost(
                "waiting sandbox, " + what,
                measured.map(Inhabitants.Waiting::mib).orElse(Double.NaN),
                1.0,
                "MiB");
    }

    private Goal cpuGoal(String what) {
        return Goal.atMost("CPU time of " + what, ratio(what), 0.6);
    }

    private double ratio(String what) {
        return cpu.getOrDefault(what, MachineCpu.UNKNOWN).all()
                / cpu.getOrDefault(A_BARE_PROCESS, MachineCpu.UNKNOWN).all();
    }

    private Goal median(Row row, Pace pace, double goal) {
        var measured = of(row, pace);
        return Goal.atMost(measured.name() + ", p50", measured.median(Maker.NEST), goal);
    }

    private Goal late(Row row, Pace pace) {
        var measured = of(row, pace);
        return Goal.atMost(measured.name() + ", p99", measured.late(Maker.NEST), 1.0);
    }

    private Comparison of(Row row, Pace pace) {
        return compared.stream()
                .filter(each -> each.row().equals(row) && each.pace() == pace)
                .findFirst()
                .orElseThrow();
    }

    /// In Markdown, to be read as it is or shown on a page.
    public String table() {
        var text = new StringBuilder("| figure | result | goal | |\n|---|---|---|---|\n");
        goals().forEach(goal -> text.append(goal.line()).append('\n'));
        line(text, "");
        line(
                text,
                "Results without a unit are ratios to the bare process in the same run. Runs are"
                        + " asked for over REST where a row does not say otherwise. Packages are those"
                        + " that a server makes ready by default, with numpy imported before the"
                        + " program is known.");
        if (!hasNests()) {
            line(text, "**This machine has no nests**: bubblewrap made all sandboxes.");
        }
        if (!noPackages.isEmpty()) {
            line(text, "Nothing was measured with packages: %s.", noPackages);
        }
        line(text, "");
        tellCompared(text);
        line(text, "");
        tellCpu(text);
        line(text, "");
        tellLoad(text);
        line(text, "");
        tellGrowth(text);
        line(text, "");
        tellWaiting(text);
        line(text, "");
        tellRest(text);
        return text.toString();
    }

    private void tellCompared(StringBuilder text) {
        line(
                text,
                "| run, milliseconds p50 / p99 | nest | bubblewrap | bare | nest, ratio p50 / p99 |"
                        + " bubblewrap, ratio | rounds | other |");
        line(text, "|---|---|---|---|---|---|---|---|");
        for (var each : compared) {
            line(
                    text,
                    "| %s | %s | %s | %.2f / %.2f | **%.2f** / %.2f | %s | %d | %d |",
                    each.name(),
                    times(each, Maker.NEST),
                    times(each, Maker.BUBBLEWRAP),
                    each.bareMillis(),
                    each.bareLateMillis(),
                    each.median(Maker.NEST),
                    each.late(Maker.NEST),
                    each.ours().containsKey(Maker.BUBBLEWRAP)
                            ? "%.2f / %.2f"
                                    .formatted(
                                            each.median(Maker.BUBBLEWRAP),
                                            each.late(Maker.BUBBLEWRAP))
                            : "",
                    each.count(),
                    each.otherStarts());
        }
        line(text, "");
        line(
                text,
                "Each round is a bare process and one run by each maker; `other`: runs that did not"
                        + " start as the row says, cold instead of warm.");
    }

    private static String times(Comparison each, Maker maker) {
        return each.ours().containsKey(maker)
                ? String.format(
                        Locale.ROOT, "%.2f / %.2f", each.millis(maker), each.lateMillis(maker))
                : "";
    }

    private void tellCpu(StringBuilder text) {
        line(text, "| CPU time on the whole machine, ms | all | user | system | kernel threads |");
        line(text, "|---|---|---|---|---|");
        cpu.forEach((what, each) ->
                line(
                        text,
                        "| %s | %.2f | %.2f | %.2f | %.2f |",
                        what,
                        each.all(),
                        each.user(),
                        each.system(),
                        each.kernelThreads()));
    }

    private void tellLoad(StringBuilder text) {
        line(
                text,
                "| clients without pause, in turns with bare | runs/s | bare/s | ratio | p50 | p99 |"
                        + " CPU of a run | CPU of a bare | failed | warm |");
        line(text, "|---|---|---|---|---|---|---|---|---|---|");
        for (var rate : throughput) {
            line(
                    text,
                    "| %d | %.1f | %.1f | %.2f | %.1f ms | %.1f ms | %.1f ms | %.1f ms | %d | %d of"
                            + " %d |",
                    rate.clients(),
                    rate.ours().perSecond(),
                    rate.bare().perSecond(),
                    rate.ratio(),
                    rate.ours().times().millis(MEDIAN),
                    rate.ours().times().millis(LATE),
                    rate.cpuPerRun(),
                    rate.cpuPerBare(),
                    rate.ours().failed(),
                    rate.ours().warm(),
                    rate.ours().times().count());
        }
    }

    private void tellGrowth(StringBuilder text) {
        line(text, "| stored | run, p50 | ratio | CPU of a run | list of executions |");
        line(text, "|---|---|---|---|---|");
        for (var each : growth) {
            line(
                    text,
                    "| %,d %s | %.2f ms | %.2f | %.2f ms | %.1f ms |",
                    each.count(),
                    each.what().replace("stored ", ""),
                    each.runs().millis(Maker.NEST),
                    each.runs().median(Maker.NEST),
                    each.cpu().all(),
                    each.list());
        }
    }

    private void tellWaiting(StringBuilder text) {
        line(text, "| waiting | how many | MiB of one |");
        line(text, "|---|---|---|");
        waiting.forEach(
                (what, each) -> line(text, "| %s | %d | %.2f |", what, each.count(), each.mib()));
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

    @SuppressWarnings("AnnotateFormatMethod") // The annotation is in no library of ours.
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
        for (var each : compared) {
            each.ours()
                    .forEach((maker, times) ->
                            rows.addObject()
                                    .put("name", each.name())
                                    .put("maker", maker.title())
                                    .put("runs", times.count())
                                    .put("p50_ms", each.millis(maker))
                                    .put("p99_ms", each.lateMillis(maker))
                                    .put("bare_p50_ms", each.bareMillis())
                                    .put("bare_p99_ms", each.bareLateMillis())
                                    .put("ratio_p50", each.median(maker))
                                    .put("ratio_p99", each.late(maker))
                                    .put("other_starts", each.otherStarts()));
        }
        var cpus = json.putObject("cpu_ms");
        cpu.forEach((what, each) -> put(cpus.putObject(what), each));
        json.put("without_packages", noPackages).put("nests", hasNests());
        var rates = json.putArray("sustained");
        for (var rate : throughput) {
            rates.addObject()
                    .put("clients", rate.clients())
                    .put("per_second", rate.ours().perSecond())
                    .put("bare_per_second", rate.bare().perSecond())
                    .put("p50_ms", rate.ours().times().millis(MEDIAN))
                    .put("p99_ms", rate.ours().times().millis(LATE))
                    .put("cpu_ms", rate.cpuPerRun())
                    .put("bare_cpu_ms", rate.cpuPerBare())
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
                    .put("p50_ms", each.runs().millis(Maker.NEST))
                    .put("ratio_p50", each.runs().median(Maker.NEST))
                    .put("cpu_ms", each.cpu().all())
                    .put("list_ms", each.list());
        }
        var resting = json.putObject("waiting");
        waiting.forEach((what, each) ->
                resting.putObject(what).put("count", each.count()).put("mib", each.mib()));
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
