package dev.caisson.executions;

import java.time.Instant;
import java.util.Optional;

/// An execution as a line of a list: small, however much is kept of it.
///
/// @param owner the id of the caller it belongs to
/// @param completed when it ended
/// @param delivery how its result was handed over, as a word
/// @param exitCode when the program ended by itself
/// @param wallMillis how long it ran, once it has ended
/// @param preview how the code begins, where programs are kept
public record ListedExecution(
        String id,
        String owner,
        ExecutionStatus status,
        Instant created,
        Optional<Instant> completed,
        String traceId,
        String language,
        Optional<String> thread,
        String delivery,
        Optional<Integer> exitCode,
        Optional<Long> wallMillis,
        Optional<String> preview) {}
