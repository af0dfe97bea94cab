package dev.caisson.executions;

import dev.caisson.config.Key;

/// Settings of the record of executions.
///
/// @param code whether programs are kept
public record ExecutionSettings(
        @Key(
                        name = "keep.code",
                        initial = "true",
                        doc =
                                "Whether programs are kept with their executions; their hashes always"
                                        + " are.")
                boolean code,
        Retention retention) {}
