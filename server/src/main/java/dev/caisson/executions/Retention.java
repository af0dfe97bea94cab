package dev.caisson.executions;

import dev.caisson.config.Key;
import java.time.Duration;
import java.util.Optional;

/// Retention of executions that have ended.
///
/// @param age how long after its end one is kept; empty means for ever
/// @param bytes how much all of them may take, with their stored output; the oldest go first; empty
///   means without limit
public record Retention(
        @Key(
                        name = "keep.executions_age",
                        initial = "30d",
                        min = "1m",
                        max = "3650d",
                        doc = "How long an execution is kept after its end; empty means for ever.")
                Optional<Duration> age,
        @Key(
                        name = "keep.executions_bytes",
                        initial = "8GiB",
                        min = "1MiB",
                        max = "1024TiB",
                        doc =
                                "What executions and their output may take; the key with most loses"
                                        + " its oldest first.")
                Optional<Long> bytes) {
    public static final Retention FOR_EVER = new Retention(Optional.empty(), Optional.empty());
}
