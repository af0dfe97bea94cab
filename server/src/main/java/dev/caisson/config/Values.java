package dev.caisson.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// The winning text of every key, read by its type; and what was wrong with it.
final class Values {
    private final Map<String, Given> winners = new LinkedHashMap<>();
    private final List<Mistake> mistakes;

    /// @param given from the weakest to the strongest
    Values(Sources sources, List<Given> given, List<Mistake> mistakes) {
        this.mistakes = new ArrayList<>(mistakes);
        for (var setting : Settings.ALL) {
            winners.put(
                    setting.name(),
                    new Given(setting.name(), initial(setting, sources), new Origin.Default()));
        }
        for (var one : given) {
            if (winners.containsKey(one.key())) {
                winners.put(one.key(), one);
            } else {
                this.mistakes.add(unknown(one));
            }
        }
    }

    private static String initial(Setting<?> setting, Sources sources) {
        return setting.equals(Settings.DATA_DIRECTORY)
                ? sources.usualData().toString()
                : setting.initial();
    }

    Given winner(Setting<?> setting) {
        return Optional.ofNullable(winners.get(setting.name())).orElseThrow();
    }

    /// The value; for a text that cannot be read a mistake is noted and the default taken, so that
    /// the other mistakes are found as well.
    <T> T get(Setting<T> setting) {
        var winner = winner(setting);
        try {
            return setting.type().read(winner.text().strip());
        } catch (IllegalArgumentException _) {
            mistakes.add(
                    mistake(
                            setting,
                            "must be " + setting.type().must(),
                            setting.initial().isEmpty()
                                    ? "Leave it out, or correct it."
                                    : "Correct it; the default is " + setting.initial() + "."));
            return setting.type().read(fallback(setting));
        }
    }

    private static String fallback(Setting<?> setting) {
        return setting.equals(Settings.DATA_DIRECTORY) ? "/" : setting.initial();
    }

    /// Makes a record that checks itself. When it refuses, a mistake is noted.
    <T> Optional<T> make(Supplier<T> section) {
        try {
            return Optional.of(section.get());
        } catch (Contradiction wrong) {
            mistakes.add(mistake(wrong.setting(), wrong.problem(), wrong.remedy()));
            return Optional.empty();
        }
    }

    List<Mistake> mistakes() {
        return mistakes;
    }

    private Mistake mistake(Setting<?> setting, String problem, String remedy) {
        var winner = winner(setting);
        var shown = setting.secret() ? Optional.<String>empty() : Optional.of(winner.text());
        return new Mistake(setting.name(), shown, winner.origin(), problem, remedy);
    }

    /// The value of an unknown key is not repeated: it may be a secret under a misspelt name.
    private static Mistake unknown(Given given) {
        var variable = given.origin() instanceof Origin.Environment;
        var known = Settings.ALL.stream().map(s -> variable ? s.variable() : s.name()).toList();
        var remedy =
                NearName.of(given.key(), known)
                        .map(near -> "Did you mean " + near + "?")
                        .orElse("See `caisson config` for every key.");
        return new Mistake(
                given.key(), Optional.empty(), given.origin(), "is not a known key", remedy);
    }
}
