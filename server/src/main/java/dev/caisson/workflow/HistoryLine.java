package dev.caisson.workflow;

import java.time.Instant;
import java.util.Optional;

/// History line of a process: one transition, by whom, when and why.
///
/// @param from empty for the start
/// @param actor who caused it
public record HistoryLine(
        Optional<String> from, String to, String actor, String reason, Instant at) {}
