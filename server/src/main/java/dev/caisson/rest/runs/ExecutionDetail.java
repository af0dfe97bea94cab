package dev.caisson.rest.runs;

import dev.caisson.executions.Attempt;
import dev.caisson.executions.CallOrigin;
import dev.caisson.executions.Completion;
import dev.caisson.executions.Ended;
import dev.caisson.executions.ExecutionRecord;
import dev.caisson.executions.ExecutionRequest;
import dev.caisson.executions.LeftFile;
import dev.caisson.executions.NetworkUse;
import dev.caisson.executions.Provenance;
import dev.caisson.executions.ReturnedValue;
import dev.caisson.executions.RunUsage;
import dev.caisson.executions.ToolUse;
import dev.caisson.json.Describe;
import dev.caisson.json.Inline;
import dev.caisson.output.SpooledOutput;
import dev.caisson.rest.CallerNames;
import dev.caisson.runs.ExecutionReport;
import dev.caisson.runs.RunOutput;
import dev.caisson.sandbox.Sink.Stream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// An execution with all that is kept of it.
public record ExecutionDetail(
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
        @Describe("What to do about it, where there is something to do.") Optional<String> advice,
        List<ListedFile> files,
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
        @Inline(
                        @Inline.Text(
                                member = "artifact_id",
                                value =
                                        "What the call said the program belongs to, as the next"
                                                + " three."))
                Provenance provenance,
        @Describe("How it ended, and what the program handed over; null while it runs.")
                Optional<Handed> result,
        @Describe("Forms of the last expression, where display asked for them.")
                Optional<List<ExecutionReport.Shown>> display,
        @Describe("What became of the tools the program called, where it called any.")
                Optional<ToolUse> tools,
        @Describe("Which attempt at its task it was, where it had one.") Optional<Attempt> attempt,
        @Describe("What the program asked of the network, where it has one and asked.")
                Optional<List<NetworkUse>> network,
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

    record ListedFile(String path, long size, String mediaType, boolean changed) {
        static ListedFile of(LeftFile file) {
            return new ListedFile(file.path(), file.size(), file.mediaType(), file.changed());
        }
    }

    /// What it used.
    record Metrics(
            long queueMs,
            long durationMs,
            long cpuMs,
            long memoryPeakBytes,
            @Describe("warm or cold: where its sandbox came from.") Optional<String> start) {
        static Metrics of(RunUsage used) {
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
                    Optional<ReturnedValue.DataFile> dataFile,
            @Describe("Why there is no value; words of the program are in quotes.")
                    Optional<String> dataNote,
            @Describe("Null when ok.") Optional<ExecutionReport.Problem> error,
            Metrics metrics) {
        static Handed of(Completion end) {
            var value = end.handed();
            return new Handed(
                    end.ended().succeeded(),
                    value.flatMap(ReturnedValue::data),
                    value.map(ReturnedValue::keptBytes).orElse(0L),
                    value.flatMap(ReturnedValue::dataFile),
                    value.flatMap(ReturnedValue::note),
                    ExecutionReport.Problem.of(end.ended()),
                    Metrics.of(end.used()));
        }
    }

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
        var ended = end.map(Completion::ended);
        var origin = request.origin();
        var provenance = origin.map(CallOrigin::provenance).orElse(Provenance.NONE);
        var stdout = shown(record, output, Stream.STDOUT);
        var stderr = shown(record, output, Stream.STDERR);
        var outputKept = isOutputKept(record, output);
        return new ExecutionDetail(
                request.traceId(),
                record.id(),
                record.id(),
                record.status().word(),
                request.language(),
                request.thread(),
                ended.flatMap(Ended::exitCode),
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
                ended.flatMap(Ended::signal),
                ended.flatMap(Ended::sentence),
                end.flatMap(completion -> completion.said().advice()),
                end.map(Completion::files).orElse(List.of()).stream().map(ListedFile::of).toList(),
                end.map(Completion::filesTotal).orElse(0L),
                request.thread().isPresent(),
                Metrics.of(end.map(Completion::used).orElse(RunUsage.NOTHING)),
                origin.map(CallOrigin::toolName),
                origin.map(CallOrigin::toolVersion),
                origin.map(CallOrigin::inputDigest),
                origin.map(CallOrigin::sandboxImage),
                end.flatMap(Completion::envelopeDigest),
                end.flatMap(completion -> completion.said().tools())
                        .flatMap(ToolUse::approval)
                        .orElse(ExecutionReport.Account.APPROVAL_NOT_REQUIRED),
                provenance,
                end.map(Handed::of),
                end.flatMap(completion -> ExecutionReport.Shown.of(completion.said())),
                end.flatMap(completion -> completion.said().tools()),
                end.flatMap(completion -> completion.said().attempt()),
                end.flatMap(completion -> completion.said().network()),
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
