package dev.caisson.json;

import dev.caisson.call.Refusal;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// JSON members of a refusal that programs read, the same through every door. A body of REST and a
/// result of a tool add their own to them.
///
/// @param retryAfterMs how long to wait; empty where a time is no help
/// @param details more for programs to read; empty where there is nothing more
public record RefusalMembers(
        String message,
        boolean retryable,
        Optional<Long> retryAfterMs,
        Optional<String> executionId,
        Optional<ObjectNode> details) {
    public static RefusalMembers of(Refusal refusal) {
        var details = refusal.details();
        return new RefusalMembers(
                refusal.sentence(),
                refusal.isRetryable(),
                refusal.retryAfter().map(Duration::toMillis),
                refusal.executionId(),
                details.isEmpty()
                        ? Optional.empty()
                        : Optional.of((ObjectNode) Json.tree(details)));
    }
}
