package dev.caisson.runs;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.executions.ExecutionStatus;
import dev.caisson.sandbox.Isolation;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Layer;
import dev.caisson.sandbox.Runner;
import dev.caisson.sandbox.Runs;
import dev.caisson.sandbox.Tier;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Choice of the runner for a language: finds it, or says why there is none and what there is.
public final class RunnerChoice {
    private RunnerChoice() {}

    /// @throws Refusal INVALID_ARGUMENT when others are there, UNAVAILABLE when none is
    public static Runner of(Runs runs, Language language) {
        return runs.runners().of(language).orElseThrow(() -> absent(runs, language));
    }

    /// @param image the name of an image, or `host`; its language when none is asked for
    /// @throws Refusal INVALID_ARGUMENT when there is no such image for the language
    static Runner of(
            Runs runs, Optional<Language> language, Optional<String> image, Language otherwise) {
        if (image.isEmpty()) {
            return of(runs, language.orElse(otherwise));
        }
        var named =
                runs.runners().available().stream()
                        .filter(each -> each.image().equals(image.get()))
                        .toList();
        var wanted = language.or(() -> preferred(named, otherwise));
        return named.stream()
                .filter(each -> wanted.filter(each.language()::equals).isPresent())
                .findFirst()
                .orElseThrow(() -> noImage(runs, image.get(), language));
    }

    private static Optional<Language> preferred(List<Runner> named, Language otherwise) {
        return named.stream()
                .map(Runner::language)
                .filter(otherwise::equals)
                .findFirst()
                .or(() -> named.stream().map(Runner::language).findFirst());
    }

    private static Refusal noImage(Runs runs, String image, Optional<Language> language) {
        var there =
                runs.runners().available().stream()
                        .map(each -> each.image() + " (" + each.language().word() + ")")
                        .distinct()
                        .collect(Collectors.joining(", "));
        return new Refusal(
                Reason.INVALID_ARGUMENT,
                "There is no image '%s'%s here. There are: %s."
                        .formatted(
                                image,
                                language.map(each -> " for " + each.word()).orElse(""),
                                there.isEmpty() ? "none" : there));
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
                "No code runs on this server because promised isolation is missing: %s. Its operator must fix this; caisson doctor shows how."
                        .formatted(String.join(", ", layers)),
                Map.of("cause", ExecutionStatus.BLOCKED.word(), "missing_layers", layers));
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
