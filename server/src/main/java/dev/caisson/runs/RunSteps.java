package dev.caisson.runs;

import dev.caisson.call.CallStep;
import dev.caisson.call.SpanId;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.Stage;
import dev.caisson.sandbox.Start;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The stages of a run as steps of its call. One follows the other, and the last ends with the run.
final class RunSteps {
    private static final String PREFIX = "sandbox.";

    private RunSteps() {}

    /// @param ended when the run did, after the beginning of the call
    static List<CallStep> of(Run run, Outcome outcome, Duration ended) {
        var times = outcome.usage().stages().times();
        var words = words(run, outcome);
        var steps = new ArrayList<CallStep>();
        var after = times.values().stream().reduce(ended, Duration::minus);
        for (var stage : Stage.values()) {
            var took = times.get(stage);
            if (took != null) {
                var span = stage == Stage.RUN ? run.door().span() : Optional.<SpanId>empty();
                steps.add(new CallStep(PREFIX + stage.word(), after, took, words, span));
                after = after.plus(took);
            }
        }
        return steps;
    }

    private static Map<String, String> words(Run run, Outcome outcome) {
        var words = new HashMap<String, String>();
        words.put("caisson.language", run.runner().language().word());
        words.put("caisson.status", EndingWords.of(outcome, run.limits()).status().word());
        outcome.usage()
                .start()
                .map(Start::word)
                .ifPresent(start -> words.put("caisson.start", start));
        return words;
    }
}
