package dev.caisson.rest;

import dev.caisson.executions.Completion;
import dev.caisson.executions.ExecutionRecord;
import dev.caisson.json.Describe;
import java.time.Instant;
import java.util.Optional;

/// An execution as a line of a list.
record ExecutionSummary(
        String traceId,
        String runId,
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
    static ExecutionSummary of(ExecutionRecord record, CallerNames names) {
        var request = record.request();
        return new ExecutionSummary(
                request.traceId(),
                record.id(),
                record.status().word(),
                request.language(),
                request.thread(),
                record.completion().flatMap(Completion::exitCode),
                record.completion().map(completion -> completion.used().wallMillis()),
                record.created().toString(),
                record.completed().map(Instant::toString),
                names.name(record.owner()),
                request.delivery().word(),
                record.preview());
    }
}
