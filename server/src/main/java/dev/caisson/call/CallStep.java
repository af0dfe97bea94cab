package dev.caisson.call;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// Timed step of the work of a call, for traces.
///
/// @param after how long after the beginning of the call it began
/// @param words what it says beside its name, from closed sets
/// @param span by which others are below it; empty when none are
public record CallStep(
        String name,
        Duration after,
        Duration took,
        Map<String, String> words,
        Optional<SpanId> span) {
    public CallStep {
        words = Map.copyOf(words);
    }

    /// One with nothing below it.
    public CallStep(String name, Duration after, Duration took, Map<String, String> words) {
        this(name, after, took, words, Optional.empty());
    }
}
