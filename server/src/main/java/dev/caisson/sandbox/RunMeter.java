package dev.caisson.sandbox;

import dev.caisson.telemetry.Metrics;
import java.util.OptionalInt;

/// Meter of runs: counts them by how they ended, and where their time went.
record RunMeter(Metrics metrics) {
    private static final int SIGNALS = 128;
    private static final int CODE_MAX = 255;

    Outcome observed(Run run, Outcome outcome) {
        var language = run.runner().language().word();
        var stages = outcome.usage().stages();
        metrics.runs().labelValues(language, status(outcome)).inc();
        exitCode(outcome)
                .ifPresent(code -> metrics.runExitCodes().labelValues(language, word(code)).inc());
        metrics.runSeconds().labelValues(language).observe(seconds(stages, Stage.RUN));
        for (var stage : stages.times().keySet()) {
            metrics.runStageSeconds().labelValues(stage.word()).observe(seconds(stages, stage));
        }
        return outcome;
    }

    /// As shells say it: a signal is 128 and its number.
    private static OptionalInt exitCode(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Exited exited -> OptionalInt.of(exited.code());
            case Outcome.Signalled signalled -> OptionalInt.of(SIGNALS + signalled.signal());
            case Outcome.TimedOut _,
                    Outcome.OutOfMemory _,
                    Outcome.Cancelled _,
                    Outcome.Blocked _ ->
                    OptionalInt.empty();
        };
    }

    /// An interpreter that lives on may say any number.
    private static String word(int code) {
        return code >= 0 && code <= CODE_MAX ? Integer.toString(code) : "other";
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
