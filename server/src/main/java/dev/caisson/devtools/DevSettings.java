package dev.caisson.devtools;

import dev.caisson.config.Key;

/// Settings of the tools of a coding agent.
///
/// @param readBeforeWrite whether a file must have been read before it is changed
public record DevSettings(
        @Key(
                        name = "dev.read_before_write",
                        initial = "true",
                        doc =
                                "Whether the tools write and edit refuse to change a file that the caller"
                                        + " has not read. expected_hash always counts.")
                boolean readBeforeWrite) {}
