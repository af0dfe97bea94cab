package dev.caisson.config;

import dev.caisson.call.NearName;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// Values of all configuration keys: the winning text of each, read by its type, and the mistakes
/// found so far.
final class Values {
    private final Declarations declarations;
    private final Map<String, String> usual;
    private final Map<String, Given> winners = new LinkedHashMap<>();
    private final Map<String, Given> inFamilies = new LinkedHashMap<>();
    private final Set<Mistake> mistakes;

    /// @param usual defaults that depend on the machine, by key
    /// @param given from the weakest to the strongest
    Values(
            Declarations declarations,
            Map<String, String> usual,
            List<Given> given,
            List<Mistake> mistakes) {
        this.declarations = declarations;
        this.usual = Map.copyOf(usual);
        this.mistakes = new LinkedHashSet<>(mistakes);
        for (var setting : declarations.all()) {
            winners.put(
                    setting.name(),
                    new Given(setting.name(), initial(setting), new Origin.Default()));
        }
        for (var one : given) {
            if (winners.containsKey(one.key())) {
                winners.put(one.key(), one);
            } else if (declarations.familyOf(one.key()).isPresent()) {
                inFamilies.put(one.key(), one);
            } else {
                this.mistakes.add(unknown(one));
            }
        }
    }

    /// Nothing but defaults.
    static Values initial(Declarations declarations) {
        return new Values(declarations, Map.of(), List.of(), List.of());
    }

    Declarations declarations() {
        return declarations;
    }

    private String initial(Setting setting) {
        return usual.getOrDefault(setting.name(), setting.initial());
    }

    Given winner(Setting setting) {
        return Optional.ofNullable(winners.get(setting.name())).orElseThrow();
    }

    /// What was written below the name of a family.
    List<Given> below(Family family) {
        return inFamilies.values().stream().filter(one -> family.has(one.key())).toList();
    }

    /// All that was written below names of families.
    List<Given> inFamilies() {
        return List.copyOf(inFamilies.values());
    }

    void note(Mistake mistake) {
        mistakes.add(mistake);
    }

    /// The value; for a text that cannot be read a mistake is noted and the default taken, so that
    /// the other mistakes are found as well.
    Object get(Setting setting) {
        try {
            return setting.type().read(winner(setting).text().strip());
        } catch (IllegalArgumentException | ArithmeticException _) {
            mistakes.add(
                    mistake(
                            setting,
                            "must be " + setting.type().must(),
                            setting.initial().isEmpty()
                                    ? "Leave it out, or correct it."
                                    : "Correct it; the default is " + setting.initial() + "."));
            return setting.type().read(initial(setting));
        }
    }

    /// Makes a record that checks itself. When it refuses, a mistake is noted.
    <T> Optional<T> make(Supplier<T> section) {
        try {
            return Optional.of(section.get());
        } catch (Contradiction wrong) {
            var setting = declarations.get(wrong.key());
            mistakes.add(mistake(setting, wrong.problem(), wrong.remedy()));
            return Optional.empty();
        }
    }

    List<Mistake> mistakes() {
        return List.copyOf(mistakes);
    }

    private Mistake mistake(Setting setting, String problem, String remedy) {
        var winner = winner(setting);
        var shown = setting.secret() ? Optional.<String>empty() : Optional.of(winner.text());
        return new Mistake(setting.name(), shown, winner.origin(), problem, remedy);
    }

    /// The value of an unknown key is not repeated: it may be a secret under a misspelt name.
    private Mistake unknown(Given given) {
        var variable = given.origin() instanceof Origin.Environment;
        var known =
                declarations.all().stream().map(s -> variable ? s.variable() : s.name()).toList();
        var remedy =
                NearName.of(given.key(), known)
                        .map(near -> "Did you mean " + near + "?")
                        .orElse("See `caisson config` for every key.");
        return new Mistake(
                given.key(), Optional.empty(), given.origin(), "is not a known key", remedy);
    }
}
