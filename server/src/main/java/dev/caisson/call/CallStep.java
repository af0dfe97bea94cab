package dev.caisson.call;

import java.time.Duration;
import java.util.Map;

/// Timed step of the work of a call, for traces.
///
/// @param after how long after the beginning of the call it began
/// @param words what it says beside its name, from closed sets
public record CallStep(String name, Duration after, Duration took, Map<String, String> words) {
    public CallStep {
        words = Map.copyOf(words);
    }
}
