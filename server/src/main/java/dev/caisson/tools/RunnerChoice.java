package dev.caisson.tools;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.sandbox.Isolation;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Layer;
import dev.caisson.sandbox.Runner;
import dev.caisson.sandbox.Runs;
import dev.caisson.sandbox.Tier;
import java.util.Map;
import java.util.stream.Collectors;

/// Finds the runner for a language, or says why there is none and what there is.
final class RunnerChoice {
    private RunnerChoice() {}

    /// @throws Refusal INVALID_ARGUMENT when others are there, UNAVAILABLE when none is
    static Runner of(Runs runs, Language language) {
        return runs.runners().of(language).orElseThrow(() -> absent(runs, language));
    }

    private static Refusal absent(Runs runs, Language language) {
        var isolation = runs.isolation();
        return isolation.tier() == Tier.CLOSED ? closed(isolation) : unavailable(runs, language);
    }

    /// Why in detail is for the operator, who finds it in the log.
    private static Refusal closed(Isolation isolation) {
        var layers =
                isolation.missing().keySet().stream()
                        .filter(layer -> !isolation.accepted().contains(layer))
                        .sorted()
                        .map(Layer::word)
                        .toList();
        return new Refusal(
                Reason.UNAVAILABLE,
                "No code runs on this server because promised isolation is missing: %s. Its operator must mend it; caisson doctor says how."
                        .formatted(String.join(", ", layers)),
                Map.of("cause", Status.BLOCKED.word(), "missing_layers", layers));
    }

    private static Refusal unavailable(Runs runs, Language language) {
        var why =
                runs.runners().missing().stream()
                        .filter(missing -> missing.language() == language)
                        .map(missing -> " (" + missing.why() + ". " + missing.remedy() + ")")
                        .findFirst()
                        .orElse("");
        var choices =
                runs.runners().available().stream()
                        .map(runner -> runner.language().word())
                        .distinct()
                        .collect(Collectors.joining(", "));
        return new Refusal(
                choices.isEmpty() ? Reason.UNAVAILABLE : Reason.INVALID_ARGUMENT,
                "Language '%s' is not available on this server%s. Available: %s."
                        .formatted(language.word(), why, choices.isEmpty() ? "none" : choices),
                Map.of("language", language.word()));
    }
}
