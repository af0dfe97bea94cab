package dev.caisson.policy;

import dev.caisson.config.Key;
import java.nio.file.Path;
import java.util.Optional;

/// Settings of the policy on calls. The rules stand in the file and in the database.
///
/// @param file of rules
/// @param rest what becomes of calls that no rule decides
public record PolicySettings(
        @Key(
                        name = "policy.file",
                        doc =
                                "A YAML file of rules on calls of tools; see docs/policy.md. It is"
                                        + " read again when it changes.")
                Optional<Path> file,
        @Key(
                        name = "policy.default",
                        initial = "ask",
                        doc =
                                "What becomes of calls of other servers' tools that may change"
                                        + " something and that no rule decides.")
                Decision rest) {}
