package dev.caisson.rest.runs;

import dev.caisson.executions.ListedExecution;
import dev.caisson.json.Describe;
import dev.caisson.rest.CallerNames;
import java.time.Instant;
import java.util.Optional;

/// An execution as a line of a list.
record ExecutionSummary(
        String traceId,
        String executionId,
        @Describe("Alias of execution_id.") String runId,
        @Describe("running, success, failed, timeout, oom, cancelled or blocked.") String status,
        String language,
        Optional<String> threadId,
        Optional<Integer> exitCode,
        Optional<Long> durationMs,
        String createdAt,
        Optional<String> completedAt,
        @Describe("The name of the key that asked for it.") String caller,
        @Describe("inline, streaming, async or webhook.") String deliveryMode,
        @Describe("How the program begins, where programs are kept.")
                Optional<String> codePreview) {
    static ExecutionSummary of(ListedExecution line, CallerNames names) {
        return new ExecutionSummary(
                line.traceId(),
                line.id(),
                line.id(),
                line.status().word(),
                line.language(),
                line.thread(),
                line.exitCode(),
                line.wallMillis(),
                line.created().toString(),
                line.completed().map(Instant::toString),
                names.name(line.owner()),
                line.delivery(),
                line.preview());
    }
}
