package dev.caisson.executions;

import dev.caisson.call.ReplyMode;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Request of an execution, as it is known before its program runs.
///
/// @param runner its name and version
/// @param codeHash of the program in UTF-8, see [dev.caisson.call.KeyedDigest]
/// @param requestDigest of the whole request, in the same form
/// @param origin absent from what former versions kept
/// @param metadata the caller's own
/// @param envNames of the variables the caller gave; their values are not kept
public record ExecutionRequest(
        Optional<String> thread,
        String language,
        String runner,
        Allowed limits,
        String codeHash,
        String requestDigest,
        Optional<CallOrigin> origin,
        Optional<ObjectNode> metadata,
        List<String> envNames,
        String traceId,
        ReplyMode delivery) {
    public ExecutionRequest {
        envNames = List.copyOf(envNames);
    }

    /// What the run may use.
    public record Allowed(long wallMillis, long memoryBytes, double cpus, int processes) {}
}
