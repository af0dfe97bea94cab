package dev.caisson.redact;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Values that callers handed to their runs in confidence, so that they are struck from what is
/// read later: a file a program left, the output of the next program. In memory alone, and only of
/// this process; the values used last are kept.
///
/// Whoever reads the texts of a caller sees a guess of one confirmed, so nobody's values are looked
/// for in the texts of another. A value that ordinary text has by chance is not remembered: it
/// would spoil every file that is read.
final class KnownSecrets {
    /// Shorter values, and words, turn up by chance.
    static final int LENGTH_MIN = 8;

    static final int PER_CALLER_MAX = 400;

    /// As much as the environment of one run may take.
    static final int CHARACTERS_PER_CALLER_MAX = 64 << 10;

    static final int CHARACTERS_MAX = 16 * CHARACTERS_PER_CALLER_MAX;

    /// The callers that used one last come last; so do the values of each.
    private final Map<String, LinkedHashSet<String>> byCaller = new LinkedHashMap<>();

    synchronized void add(String caller, Collection<String> values) {
        var worth = values.stream().filter(KnownSecrets::isWorth).toList();
        if (worth.isEmpty()) {
            return;
        }
        var known = byCaller.remove(caller);
        var own = known == null ? new LinkedHashSet<String>() : known;
        worth.forEach(own::addLast);
        while (own.size() > PER_CALLER_MAX || characters(own) > CHARACTERS_PER_CALLER_MAX) {
            own.removeFirst();
        }
        byCaller.put(caller, own);
        while (byCaller.values().stream().mapToInt(KnownSecrets::characters).sum()
                > CHARACTERS_MAX) {
            byCaller.remove(byCaller.keySet().iterator().next());
        }
    }

    synchronized Set<String> of(String caller) {
        var own = byCaller.get(caller);
        return own == null ? Set.of() : Set.copyOf(own);
    }

    synchronized Set<String> all() {
        return byCaller.values().stream()
                .flatMap(Collection::stream)
                .collect(Collectors.toUnmodifiableSet());
    }

    synchronized void forget(String caller) {
        byCaller.remove(caller);
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
