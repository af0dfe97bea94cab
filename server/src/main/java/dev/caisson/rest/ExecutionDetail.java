package dev.caisson.rest;

import dev.caisson.executions.CallOrigin;
import dev.caisson.executions.Completion;
import dev.caisson.executions.ExecutionRecord;
import dev.caisson.executions.ExecutionRequest;
import dev.caisson.executions.ExecutionStatus;
import dev.caisson.executions.Provenance;
import dev.caisson.json.Describe;
import dev.caisson.sandbox.Sink.Stream;
import dev.caisson.storage.SpooledOutput;
import dev.caisson.tools.LiveRuns;
import dev.caisson.tools.RunOutput;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
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
        @Describe("Null where programs are not kept.") Optional<String> code,
        Optional<ObjectNode> metadata,
        @Describe("Of the variables it was given; their values are not kept.")
                List<String> envNames,
        Limits limits,
        @Describe("Its beginning; the rest is at /output.") String stdout,
        String stderr,
        long stdoutBytes,
        long stderrBytes,
        @Describe("Whether stdout or stderr has more than is shown here.") boolean truncated,
        @Describe("False when stdout or stderr was written and is not kept any more.")
                boolean outputKept,
        Optional<String> signal,
        @Describe("What to know about the ending beyond the exit code.") Optional<String> error,
        List<LeftFile> files,
        long filesTotal,
        @Describe("False without a thread_id: then the files were erased after the run.")
                boolean filesKept,
        Metrics metrics,
        @Describe("Null for what a former version of the server kept, as the next three.")
                Optional<String> toolName,
        Optional<String> toolVersion,
        @Describe("sha256: of the program as it was sent, in UTF-8.") Optional<String> inputDigest,
        Optional<String> sandboxImage,
        @Describe("Of stdout, stderr and result.data as they were answered; null while it runs.")
                Optional<String> outputDigest,
        String approvalState,
        @Describe("What the call said the program belongs to, as the next three.")
                Optional<String> artifactId,
        Optional<String> artifactPath,
        Optional<String> ssotDocumentId,
        Optional<String> ssotCommit,
        @Describe("How it ended, and what the program handed over; null while it runs.")
                Optional<Handed> result,
        Envelope envelope) {
    /// What is shown of a stream at most.
    static final int SHOWN_BYTES_MAX = 64 << 10;

    private static final String APPROVAL_NOT_REQUIRED = "NOT_REQUIRED";

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
            boolean ok,
            Optional<JsonNode> data,
            @Describe("At /result: a value too large for the answer.") long dataStoredBytes,
            @Describe("A file of the thread that has a value too large for the answer.")
                    Optional<DataFile> dataFile,
            @Describe("Why there is no value; words of the program are in quotes.")
                    Optional<String> dataNote,
            @Describe("Null when ok.") Optional<Failure> error,
            Metrics metrics) {
        static Handed of(Completion end) {
            return new Handed(
                    end.status() == ExecutionStatus.SUCCESS,
                    end.handed().flatMap(Completion.Handed::data),
                    end.handed().flatMap(Completion.Handed::storedBytes).orElse(0L),
                    end.handed()
                            .flatMap(Completion.Handed::dataFile)
                            .map(file -> new DataFile(file.path(), file.bytes())),
                    end.handed().flatMap(Completion.Handed::dataNote),
                    Failure.of(end),
                    Metrics.of(end.used()));
        }
    }

    /// @param type the status
    record Failure(String type, String message, boolean retryable) {
        static Optional<Failure> of(Completion end) {
            return end.status() == ExecutionStatus.SUCCESS
                    ? Optional.empty()
                    : Optional.of(
                            new Failure(
                                    end.status().word(),
                                    end.error().orElseGet(() -> exitCode(end)),
                                    end.status() == ExecutionStatus.CANCELLED
                                            && !LiveRuns.isRevoked(end.error())));
        }

        private static String exitCode(Completion end) {
            return end.exitCode()
                    .map(code -> "The program ended with exit code " + code + ".")
                    .orElse("");
        }
    }

    record DataFile(String path, long bytes) {}

    /// By what it can be accounted for.
    record Envelope(
            String runner,
            Optional<String> inputDigest,
            @Describe("Of all arguments as JSON, keyed with a secret of the server.")
                    String argumentsDigest,
            @Describe("Of the program, keyed with a secret of the server, as the ledger has it.")
                    String codeHash,
            Optional<String> outputDigest,
            long redactions) {}

    static ExecutionDetail of(ExecutionRecord record, CallerNames names, RunOutput output) {
        var request = record.request();
        var end = record.completion();
        var origin = request.origin();
        var provenance = origin.map(CallOrigin::provenance).orElse(Provenance.NONE);
        var stdout = shown(record, output, Stream.STDOUT);
        var stderr = shown(record, output, Stream.STDERR);
        var outputKept = isOutputKept(record, output);
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
                !stdout.last() || !stderr.last() || lost(end) || !outputKept,
                outputKept,
                end.flatMap(Completion::signal),
                end.flatMap(Completion::error),
                end.map(Completion::files).orElse(List.of()).stream().map(LeftFile::of).toList(),
                end.map(Completion::filesTotal).orElse(0L),
                request.thread().isPresent(),
                Metrics.of(end.map(Completion::used).orElse(Completion.Used.NOTHING)),
                origin.map(CallOrigin::toolName),
                origin.map(CallOrigin::toolVersion),
                origin.map(CallOrigin::inputDigest),
                origin.map(CallOrigin::sandboxImage),
                end.flatMap(Completion::envelopeDigest),
                APPROVAL_NOT_REQUIRED,
                provenance.artifactId(),
                provenance.artifactPath(),
                provenance.ssotDocumentId(),
                provenance.ssotCommit(),
                end.map(Handed::of),
                new Envelope(
                        request.runner(),
                        origin.map(CallOrigin::inputDigest),
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

    static boolean isOutputKept(ExecutionRecord record, RunOutput output) {
        return record.completion()
                .map(end ->
                        output.isKept(
                                record.owner(),
                                record.id(),
                                end.stdout().storedBytes(),
                                end.stderr().storedBytes()))
                .orElse(true);
    }

    /// Whether it wrote more than is kept.
    private static boolean lost(Optional<Completion> end) {
        return end.filter(completion ->
                        completion.stdout().bytes() > completion.stdout().storedBytes()
                                || completion.stderr().bytes() > completion.stderr().storedBytes())
                .isPresent();
    }
}
