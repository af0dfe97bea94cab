package dev.caisson.tools;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ToolErrorType;
import dev.caisson.json.RefusalMembers;
import dev.caisson.json.Sparse;
import java.util.List;
import java.util.Optional;

/// A run that was refused, as structured content: nothing ran.
///
/// @param message names the culprit and the remedy
/// @param retryable whether the same call may be met later, as it is
/// @param retryAfterMs how long to wait before it is made again, where a time is of help
/// @param executionId the one it is about, such as the one that uses the thread
/// @param error the type of the failure, where it has one
/// @param attempts executions that failed at the task
@Sparse
record RefusedRun(
        Reason status,
        String message,
        boolean retryable,
        Optional<Long> retryAfterMs,
        Optional<String> executionId,
        Optional<String> error,
        Optional<List<String>> attempts) {
    static RefusedRun of(Refusal refusal) {
        var members = RefusalMembers.of(refusal);
        return new RefusedRun(
                refusal.reason(),
                members.message(),
                members.retryable(),
                members.retryAfterMs(),
                members.executionId(),
                error(refusal),
                attempts(refusal));
    }

    private static Optional<String> error(Refusal refusal) {
        return refusal.reason() == Reason.HANDOFF_REQUIRED
                ? Optional.of(refusal.reason().word())
                : refusal.givenType().map(ToolErrorType::word);
    }

    private static Optional<List<String>> attempts(Refusal refusal) {
        return refusal.details().get("attempts") instanceof List<?> ids
                ? Optional.of(ids.stream().map(String::valueOf).toList())
                : Optional.empty();
    }
}
