package dev.caisson.redact;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Values that callers handed to their runs in confidence, so that they are struck from what is
/// read later: a file a program left, the output of the next program. In memory alone, and only of
/// this process; the values used last are kept.
///
/// Whoever reads the texts of a caller sees a guess of one confirmed, so nobody's values are looked
/// for in the texts of another. A value that ordinary text has by chance is not remembered, unless
/// the caller named it: it would spoil every file that is read.
final class KnownSecrets {
    /// Shorter values, and words, turn up by chance.
    static final int LENGTH_MIN = 8;

    static final int PER_CALLER_MAX = 400;

    /// As much as the environment of one run may take.
    static final int CHARACTERS_PER_CALLER_MAX = 64 << 10;

    static final int CHARACTERS_MAX = 16 * CHARACTERS_PER_CALLER_MAX;

    /// In what is ready to be looked for, with all spellings. One caller's always fits. Each takes
    /// about a hundred bytes of memory.
    static final int READY_CHARACTERS_MAX =
            4 * (CHARACTERS_PER_CALLER_MAX + SecretSpellings.OTHERS_CHARACTERS_MAX);

    /// The callers that used one last come last; so do the values of each.
    private final Map<String, LinkedHashSet<String>> byCaller = new LinkedHashMap<>();

    /// What finds them, where it is ready: of those whose values were looked for last.
    private final LinkedHashMap<String, ExactValues> ready = new LinkedHashMap<>();

    /// Those that were guessed to be secret.
    void add(String caller, Collection<String> values) {
        remember(caller, values.stream().filter(KnownSecrets::isWorth).toList());
    }

    /// Those that the caller itself called secret: it knows better than a rule.
    void addNamed(String caller, Collection<String> values) {
        remember(caller, values.stream().filter(value -> value.length() >= LENGTH_MIN).toList());
    }

    private synchronized void remember(String caller, Collection<String> worth) {
        if (worth.isEmpty()) {
            return;
        }
        var known = byCaller.remove(caller);
        var own = known == null ? new LinkedHashSet<String>() : known;
        var before = Set.copyOf(own);
        worth.forEach(own::addLast);
        while (own.size() > PER_CALLER_MAX || characters(own) > CHARACTERS_PER_CALLER_MAX) {
            own.removeFirst();
        }
        byCaller.put(caller, own);
        if (!own.equals(before)) {
            ready.remove(caller);
        }
        while (byCaller.values().stream().mapToInt(KnownSecrets::characters).sum()
                > CHARACTERS_MAX) {
            forget(byCaller.keySet().iterator().next());
        }
    }

    synchronized Set<String> of(String caller) {
        var own = byCaller.get(caller);
        return own == null ? Set.of() : Set.copyOf(own);
    }

    /// What finds the values of this caller, built once for as long as they stay the same. Must not
    /// be called in a turn of the caller.
    ExactValues exact(String caller, Redaction.Turns turns) {
        return ready(caller)
                .orElseGet(() -> {
                    var length = characters(of(caller));
                    return ExactValues.inTurn(length, turns, caller, () -> built(caller, turns));
                });
    }

    /// Whoever waited for a turn may find it ready.
    private ExactValues built(String caller, Redaction.Turns turns) {
        return ready(caller)
                .orElseGet(() -> keep(caller, new ExactValues(of(caller), turns, caller)));
    }

    private synchronized Optional<ExactValues> ready(String caller) {
        if (!byCaller.containsKey(caller)) {
            return Optional.of(ExactValues.NONE);
        }
        var found = Optional.ofNullable(ready.remove(caller));
        found.ifPresent(exact -> ready.putLast(caller, exact));
        return found;
    }

    private synchronized ExactValues keep(String caller, ExactValues exact) {
        if (exact.given().equals(byCaller.get(caller))) {
            ready.putLast(caller, exact);
        }
        while (readyCharacters() > READY_CHARACTERS_MAX) {
            ready.pollFirstEntry();
        }
        return exact;
    }

    synchronized int readyCharacters() {
        return ready.values().stream().mapToInt(ExactValues::length).sum();
    }

    synchronized Set<String> all() {
        return byCaller.values().stream()
                .flatMap(Collection::stream)
                .collect(Collectors.toUnmodifiableSet());
    }

    synchronized void forget(String caller) {
        byCaller.remove(caller);
        ready.remove(caller);
    }

    private static int characters(Collection<String> values) {
        return values.stream().mapToInt(String::length).sum();
    }

    /// Long enough, and of at least two of small letters, capitals, digits and others.
    static boolean isWorth(String value) {
        var kinds =
                value.chars()
                        .map(one ->
                                Character.isLowerCase(one)
                                        ? 0
                                        : Character.isUpperCase(one)
                                                ? 1
                                                : Character.isDigit(one) ? 2 : 3)
                        .distinct()
                        .count();
        return value.length() >= LENGTH_MIN && kinds >= 2;
    }
}
