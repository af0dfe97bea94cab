package dev.caisson.sandbox;

import dev.caisson.telemetry.Metrics;

/// Counts runs by how they ended, and where their time went.
record RunMeter(Metrics metrics) {
    Outcome observed(Run run, Outcome outcome) {
        var language = run.runner().language().word();
        var stages = outcome.usage().stages();
        metrics.runs().labelValues(language, status(outcome)).inc();
        metrics.runSeconds().labelValues(language).observe(seconds(stages, Stage.RUN));
        for (var stage : stages.times().keySet()) {
            metrics.runStageSeconds().labelValues(stage.word()).observe(seconds(stages, stage));
        }
        return outcome;
    }

    private static double seconds(Stages stages, Stage stage) {
        return stages.of(stage).toNanos() / 1e9;
    }

    private static String status(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Exited exited -> exited.code() == 0 ? "success" : "failed";
            case Outcome.Signalled _ -> "failed";
            case Outcome.TimedOut _ -> "timeout";
            case Outcome.OutOfMemory _ -> "oom";
            case Outcome.Cancelled _ -> "cancelled";
            case Outcome.Blocked _ -> "blocked";
        };
    }
}
