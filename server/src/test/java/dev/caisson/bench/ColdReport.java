package dev.caisson.bench;

import dev.caisson.bench.Cold.Figures;
import dev.caisson.json.Json;
import java.util.Collection;
import java.util.Map;
import java.util.function.ToLongFunction;
import tools.jackson.databind.node.ObjectNode;

/// The figures of the cold path, for people and for programs. All times in milliseconds.
record ColdReport(Map<String, Figures> byLanguage) {
    private static final double MIDDLE = 0.5;
    private static final double LOW = 0.1;

    String table() {
        var text = new StringBuilder();
        text.append(
                "%-11s %8s %8s %9s %9s %6s | %9s %7s %6s %6s%n"
                        .formatted(
                                "language",
                                "bare p50",
                                "bare p10",
                                "isol. p50",
                                "isol. p10",
                                "ratio",
                                "workspace",
                                "start",
                                "end",
                                "erase"));
        byLanguage.forEach((language, figures) ->
                text.append(
                        "%-11s %8.1f %8.1f %9.1f %9.1f %6.2f | %9.1f %7.1f %6.1f %6.1f%n"
                                .formatted(
                                        language,
                                        bare(figures, MIDDLE),
                                        bare(figures, LOW),
                                        isolated(figures, ColdRun::total, MIDDLE),
                                        isolated(figures, ColdRun::total, LOW),
                                        ratio(figures),
                                        isolated(figures, ColdRun::workspace, MIDDLE),
                                        isolated(figures, ColdRun::start, MIDDLE),
                                        isolated(figures, ColdRun::end, MIDDLE),
                                        isolated(figures, ColdRun::erase, MIDDLE))));
        return text.append(
                        """
                        ms; ratio of the medians; right of the bar the medians of the isolated run's parts:
                        its file system made, program at its first output, everything gone, files erased
                        """)
                .toString();
    }

    double ratio(Figures figures) {
        return isolated(figures, ColdRun::total, MIDDLE) / bare(figures, MIDDLE);
    }

    ObjectNode json() {
        var json = Json.object();
        byLanguage.forEach((language, figures) -> {
            var one = json.putObject(language).put("rounds", figures.bare().size());
            one.put("ratio", ratio(figures));
            one.putObject("bare_ms")
                    .put("p50", bare(figures, MIDDLE))
                    .put("p10", bare(figures, LOW));
            var isolated = one.putObject("isolated_ms");
            isolated.put("p50", isolated(figures, ColdRun::total, MIDDLE));
            isolated.put("p10", isolated(figures, ColdRun::total, LOW));
            one.putObject("parts_p50_ms")
                    .put("workspace", isolated(figures, ColdRun::workspace, MIDDLE))
                    .put("start", isolated(figures, ColdRun::start, MIDDLE))
                    .put("end", isolated(figures, ColdRun::end, MIDDLE))
                    .put("erase", isolated(figures, ColdRun::erase, MIDDLE));
        });
        return json;
    }

    private static double bare(Figures figures, double quantile) {
        return millis(figures.bare(), Long::longValue, quantile);
    }

    private static double isolated(Figures figures, ToLongFunction<ColdRun> part, double quantile) {
        return millis(figures.isolated(), part, quantile);
    }

    private static <T> double millis(Collection<T> all, ToLongFunction<T> part, double quantile) {
        var sorted = all.stream().mapToLong(part).sorted().toArray();
        return sorted[(int) (sorted.length * quantile)] / 1e6;
    }
}
