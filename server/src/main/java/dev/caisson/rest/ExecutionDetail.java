package dev.caisson.rest;

import dev.caisson.executions.Completion;
import dev.caisson.executions.ExecutionRecord;
import dev.caisson.executions.ExecutionRequest;
import dev.caisson.json.Describe;
import dev.caisson.sandbox.Sink.Stream;
import dev.caisson.storage.SpooledOutput;
import dev.caisson.tools.RunOutput;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// An execution with all that is kept of it.
record ExecutionDetail(
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
        @Describe("Absent where programs are not kept.") Optional<String> code,
        Optional<ObjectNode> metadata,
        @Describe("Of the variables it was given; their values are not kept.")
                List<String> envNames,
        Limits limits,
        @Describe("Its beginning; the rest is at /output.") String stdout,
        String stderr,
        long stdoutBytes,
        long stderrBytes,
        @Describe("Whether stdout or stderr has more than is shown here.") boolean truncated,
        Optional<String> signal,
        @Describe("What to know about the ending beyond the exit code.") Optional<String> error,
        List<LeftFile> files,
        long filesTotal,
        Metrics metrics,
        @Describe("What the program handed over beside its output.") Optional<Handed> result,
        Envelope envelope) {
    /// What is shown of a stream at most.
    static final int SHOWN_BYTES_MAX = 64 << 10;

    /// What the run was allowed.
    record Limits(long timeoutMs, long memoryBytes, double cpus, int processes) {
        static Limits of(ExecutionRequest.Allowed allowed) {
            return new Limits(
                    allowed.wallMillis(),
                    allowed.memoryBytes(),
                    allowed.cpus(),
                    allowed.processes());
        }
    }

    record LeftFile(String path, long size, String mediaType, boolean changed) {
        static LeftFile of(Completion.LeftFile file) {
            return new LeftFile(file.path(), file.size(), file.mimeType(), file.changed());
        }
    }

    /// What it used.
    record Metrics(
            long queueMs,
            long durationMs,
            long cpuMs,
            long memoryPeakBytes,
            @Describe("warm or cold: where its sandbox came from.") Optional<String> start) {
        static Metrics of(Completion.Used used) {
            return new Metrics(
                    used.queueMillis(),
                    used.wallMillis(),
                    used.cpuMillis(),
                    used.memoryPeakBytes(),
                    used.start());
        }
    }

    record Handed(
            Optional<JsonNode> data,
            @Describe("At /result: a value too large for the answer.") long dataStoredBytes,
            @Describe("A file of the thread that has a value too large for the answer.")
                    Optional<DataFile> dataFile,
            @Describe("Why there is no value; words of the program are in quotes.")
                    Optional<String> dataNote) {
        /// What has neither a file nor a note is a value, be it null, which is read as nothing.
        static Handed of(Completion.Handed handed) {
            var isValue = handed.dataFile().isEmpty() && handed.dataNote().isEmpty();
            return new Handed(
                    isValue
                            ? handed.data().or(() -> Optional.of(NullNode.getInstance()))
                            : Optional.empty(),
                    handed.storedBytes().orElse(0L),
                    handed.dataFile().map(file -> new DataFile(file.path(), file.bytes())),
                    handed.dataNote());
        }
    }

    record DataFile(String path, long bytes) {}

    /// By what it can be accounted for.
    record Envelope(
            String runner,
            String inputDigest,
            String codeHash,
            Optional<String> outputDigest,
            long redactions) {}

    static ExecutionDetail of(ExecutionRecord record, CallerNames names, RunOutput output) {
        var request = record.request();
        var end = record.completion();
        var stdout = shown(record, output, Stream.STDOUT);
        var stderr = shown(record, output, Stream.STDERR);
        return new ExecutionDetail(
                request.traceId(),
                record.id(),
                record.status().word(),
                request.language(),
                request.thread(),
                end.flatMap(Completion::exitCode),
                end.map(completion -> completion.used().wallMillis()),
                record.created().toString(),
                record.completed().map(Instant::toString),
                names.name(record.owner()),
                request.delivery().word(),
                record.code(),
                request.metadata(),
                request.envNames(),
                Limits.of(request.limits()),
                stdout.text(),
                stderr.text(),
                end.map(completion -> completion.stdout().bytes()).orElse(stdout.storedBytes()),
                end.map(completion -> completion.stderr().bytes()).orElse(stderr.storedBytes()),
                !stdout.last() || !stderr.last() || lost(end),
                end.flatMap(Completion::signal),
                end.flatMap(Completion::error),
                end.map(Completion::files).orElse(List.of()).stream().map(LeftFile::of).toList(),
                end.map(Completion::filesTotal).orElse(0L),
                Metrics.of(end.map(Completion::used).orElse(Completion.Used.NOTHING)),
                end.flatMap(Completion::handed).map(Handed::of),
                new Envelope(
                        request.runner(),
                        request.requestDigest(),
                        request.codeHash(),
                        end.flatMap(Completion::envelopeDigest),
                        end.map(Completion::redactions).orElse(0L)));
    }

    private static SpooledOutput.Piece shown(
            ExecutionRecord record, RunOutput output, Stream stream) {
        return record.completion().isPresent()
                ? output.read(record.owner(), record.id(), stream, 0, SHOWN_BYTES_MAX)
                : output.follow(record.owner(), record.id(), stream, 0, SHOWN_BYTES_MAX);
    }

    /// Whether it wrote more than is kept.
    private static boolean lost(Optional<Completion> end) {
        return end.filter(completion ->
                        completion.stdout().bytes() > completion.stdout().storedBytes()
                                || completion.stderr().bytes() > completion.stderr().storedBytes())
                .isPresent();
    }
}
