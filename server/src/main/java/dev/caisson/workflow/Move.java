package dev.caisson.workflow;

import java.time.Instant;
import java.util.Optional;

/// One line of a process's history.
///
/// @param from empty for the start
/// @param actor who caused it
public record Move(Optional<String> from, String to, String actor, String reason, Instant at) {}
