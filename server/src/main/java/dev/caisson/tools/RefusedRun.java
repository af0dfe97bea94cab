package dev.caisson.tools;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Describe;
import dev.caisson.json.RefusalMembers;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// A run that was refused, as structured content: nothing ran.
record RefusedRun(
        boolean success,
        @Describe("Why nothing ran.") Reason status,
        @Describe("Names the culprit and the remedy.") String message,
        @Describe("Whether the same call may be met later, as it is.") boolean retryable,
        @Describe("How long to wait before it is made again; null where a time is no help.")
                Optional<Long> retryAfterMs,
        @Describe("The execution it is about, such as the one that uses the thread.")
                Optional<String> executionId,
        @Describe("More for programs to read.") Optional<ObjectNode> details) {
    static RefusedRun of(Refusal refusal) {
        var members = RefusalMembers.of(refusal);
        return new RefusedRun(
                false,
                refusal.reason(),
                members.message(),
                members.retryable(),
                members.retryAfterMs(),
                members.executionId(),
                members.details());
    }
}
