package dev.caisson.broker;

import java.time.Duration;
import java.util.Map;

/// A part of the work of a call, for those who look where its time went.
///
/// @param after how long after the beginning of the call it began
/// @param words what it says beside its name, from closed sets
public record Step(String name, Duration after, Duration took, Map<String, String> words) {
    public Step {
        words = Map.copyOf(words);
    }
}
