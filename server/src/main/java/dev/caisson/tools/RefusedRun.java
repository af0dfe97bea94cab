package dev.caisson.tools;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.RefusalMembers;
import dev.caisson.json.Sparse;
import java.util.Optional;

/// A run that was refused, as structured content: nothing ran.
///
/// @param message names the culprit and the remedy
/// @param retryable whether the same call may be met later, as it is
/// @param retryAfterMs how long to wait before it is made again, where a time is of help
/// @param executionId the one it is about, such as the one that uses the thread
@Sparse
record RefusedRun(
        Reason status,
        String message,
        boolean retryable,
        Optional<Long> retryAfterMs,
        Optional<String> executionId) {
    static RefusedRun of(Refusal refusal) {
        var members = RefusalMembers.of(refusal);
        return new RefusedRun(
                refusal.reason(),
                members.message(),
                members.retryable(),
                members.retryAfterMs(),
                members.executionId());
    }
}
