package dev.caisson.tools;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Sparse;
import java.util.List;
import java.util.Optional;

/// A refused run in the form of [RunCode]: a [RefusedRun] with the members every answer of it has.
///
/// @param output why nothing ran, in a sentence
@Sparse
record RefusedCode(
        boolean success,
        String output,
        List<CodeReport.CodeFile> files,
        Reason status,
        boolean retryable,
        Optional<Long> retryAfterMs,
        Optional<String> executionId) {
    static RefusedCode of(Refusal refusal) {
        var refused = RefusedRun.of(refusal);
        return new RefusedCode(
                false,
                refused.message(),
                List.of(),
                refused.status(),
                refused.retryable(),
                refused.retryAfterMs(),
                refused.executionId());
    }
}
