package dev.caisson.executions;

import java.time.Duration;
import java.util.Optional;

/// What is kept of executions that have ended.
///
/// @param age how long after its end one is kept; empty means for ever
/// @param bytes how much all of them may take, with their stored output; the oldest go first; empty
///   means without limit
public record Retention(Optional<Duration> age, Optional<Long> bytes) {
    public static final Retention FOR_EVER = new Retention(Optional.empty(), Optional.empty());
}
