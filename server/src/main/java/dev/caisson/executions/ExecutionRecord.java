package dev.caisson.executions;

import java.time.Instant;
import java.util.Optional;

/// An execution as it is kept.
///
/// @param owner the id of the caller it belongs to
/// @param preview how the code begins, for people
/// @param code absent in lists; both are absent where the operator does not want code kept
/// @param completed when it ended
/// @param completion how it ended; present exactly when it did
public record ExecutionRecord(
        String id,
        String owner,
        ExecutionStatus status,
        Instant created,
        Optional<Instant> completed,
        ExecutionRequest request,
        Optional<String> preview,
        Optional<String> code,
        Optional<Completion> completion) {
    /// The same when it has ended.
    ExecutionRecord ended(EndTransition end) {
        return new ExecutionRecord(
                id,
                owner,
                end.completion().ended().status(),
                created,
                Optional.of(end.moment()),
                request,
                preview,
                code,
                Optional.of(end.completion()));
    }
}
