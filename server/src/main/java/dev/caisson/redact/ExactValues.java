package dev.caisson.redact;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Exact values in all their spellings, with the automata that find them. To build one takes time
/// for many values, so it is built in the turn of the caller whose values they are, and shared by
/// all redactors that look for them.
final class ExactValues {
    /// Fewer characters are prepared where they are.
    static final int FEW_CHARACTERS = 1 << 10;

    static final ExactValues NONE = of(Set.of());

    private final Set<String> given;
    private final Set<String> spellings;
    private final AhoCorasick characters;
    private final Redaction.Turns turns;
    private final String caller;

    /// Only streams need it.
    private final AtomicReference<Optional<AhoCorasick>> bytes =
            new AtomicReference<>(Optional.empty());

    /// Must be called in a turn of the caller where the values are long.
    ExactValues(Set<String> given, Redaction.Turns turns, String caller) {
        this.given = given;
        this.turns = turns;
        this.caller = caller;
        this.spellings = SecretSpellings.of(given, Redactor.EXACT_LENGTH_MIN);
        this.characters = new AhoCorasick(spellings);
    }

    /// Of values that are nobody's own.
    static ExactValues of(Collection<String> values) {
        return new ExactValues(Set.copyOf(values), Redaction.Turns.NONE, "");
    }

    /// Must not be called in a turn of the caller.
    static ExactValues of(Set<String> values, Redaction.Turns turns, String caller) {
        var length = values.stream().mapToInt(String::length).sum();
        return inTurn(length, turns, caller, () -> new ExactValues(values, turns, caller));
    }

    static <T> T inTurn(int length, Redaction.Turns turns, String caller, Supplier<T> work) {
        return length < FEW_CHARACTERS ? work.get() : turns.take(caller, work);
    }

    /// As they were handed over.
    Set<String> given() {
        return given;
    }

    boolean isEmpty() {
        return spellings.isEmpty();
    }

    /// What its memory is measured by.
    int length() {
        return spellings.stream().mapToInt(String::length).sum();
    }

    /// Reads characters.
    AhoCorasick characters() {
        return characters;
    }

    /// Reads bytes of UTF-8. The first time it must not be called in a turn of the caller.
    AhoCorasick bytes() {
        return bytes.get().orElseGet(() -> inTurn(length(), turns, caller, this::builtBytes));
    }

    private synchronized AhoCorasick builtBytes() {
        var built =
                bytes.get()
                        .orElseGet(() ->
                                new AhoCorasick(
                                        spellings.stream()
                                                .map(ExactValues::bytesAsUnits)
                                                .collect(Collectors.toUnmodifiableSet())));
        bytes.set(Optional.of(built));
        return built;
    }

    private static String bytesAsUnits(String value) {
        return new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
