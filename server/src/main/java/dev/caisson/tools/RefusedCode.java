package dev.caisson.tools;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Describe;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// A refused run in the form of [RunCode]: a [RefusedRun] with the members every answer of it has.
record RefusedCode(
        boolean success,
        @Describe("Why nothing ran, in a sentence.") String output,
        List<ExecutionReport.FileEntry> files,
        List<CodeReport.NestedFile> nestedFiles,
        Reason status,
        String message,
        boolean retryable,
        Optional<Long> retryAfterMs,
        Optional<String> executionId,
        Optional<ObjectNode> details) {
    static RefusedCode of(Refusal refusal) {
        var refused = RefusedRun.of(refusal);
        return new RefusedCode(
                false,
                refused.message(),
                List.of(),
                List.of(),
                refused.status(),
                refused.message(),
                refused.retryable(),
                refused.retryAfterMs(),
                refused.executionId(),
                refused.details());
    }
}
