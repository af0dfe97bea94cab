package dev.caisson.rest.runs;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.executions.ExecutionRecord;
import dev.caisson.json.Describe;
import dev.caisson.json.Records;
import dev.caisson.output.SpooledOutput;
import dev.caisson.rest.route.Parameter;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.runs.LiveRuns;
import dev.caisson.runs.RunOutput;
import dev.caisson.sandbox.Sink.Stream;
import java.util.Map;
import java.util.Optional;

/// Route of the output of an execution: a stretch of it, or all of it as events, from a place on
/// and without a gap, also while it runs.
public final class OutputRoutes {
    public static final Parameter.Bounds OFFSET = new Parameter.Bounds(0, 1L << 40, 0);
    public static final Parameter.Bounds BYTES = new Parameter.Bounds(1, 1 << 20, 64 << 10);

    static final String GONE =
            "What this execution wrote is not on this server any more: it is older than"
                    + " keep.output_age, gave way to newer output, or was lost.";

    private final ExecutionRoutes executions;
    private final LiveRuns runs;
    private final RunOutput output;
    private final RunStream showing;

    public OutputRoutes(
            ExecutionRoutes executions, LiveRuns runs, RunOutput output, RunStream showing) {
        this.executions = executions;
        this.runs = runs;
        this.output = output;
        this.showing = showing;
    }

    /// @param complete whether this is the end: it has ended, and there is no more to read
    public record OutputPiece(
            String executionId,
            @Describe("Alias of execution_id.") String runId,
            String status,
            @Describe("It has ended, and there is no more to read.") boolean complete,
            @Describe("False when it was written and is not kept any more.") boolean outputKept,
            @Describe("Why there is no output, where it is not kept.") Optional<String> message,
            Optional<String> stdout,
            Optional<String> stderr,
            Optional<Long> stdoutNextOffset,
            Optional<Long> stderrNextOffset,
            Optional<Long> stdoutStoredBytes,
            Optional<Long> stderrStoredBytes) {}

    public Response answer(RouteRequest ask) {
        var record = executions.require(ask);
        var format = RunFormat.of(ask.exchange());
        return format == RunFormat.JSON ? piece(ask, record) : events(ask, record, format);
    }

    private Response piece(RouteRequest ask, ExecutionRecord record) {
        var stdout = wanted(ask, Stream.STDOUT).map(stream -> read(ask, record, stream));
        var stderr = wanted(ask, Stream.STDERR).map(stream -> read(ask, record, stream));
        var kept = ExecutionDetail.isOutputKept(record, output);
        return Response.ok(
                Records.tree(
                        new OutputPiece(
                                record.id(),
                                record.id(),
                                record.status().word(),
                                record.completion().isPresent() && last(stdout) && last(stderr),
                                kept,
                                kept ? Optional.empty() : Optional.of(GONE),
                                stdout.map(SpooledOutput.Piece::text),
                                stderr.map(SpooledOutput.Piece::text),
                                stdout.map(SpooledOutput.Piece::nextOffset),
                                stderr.map(SpooledOutput.Piece::nextOffset),
                                stdout.map(SpooledOutput.Piece::storedBytes),
                                stderr.map(SpooledOutput.Piece::storedBytes))));
    }

    private static boolean last(Optional<SpooledOutput.Piece> piece) {
        return piece.map(SpooledOutput.Piece::last).orElse(true);
    }

    private static Optional<Stream> wanted(RouteRequest ask, Stream stream) {
        return switch (ask.query("stream").orElse("both")) {
            case "both" -> Optional.of(stream);
            case "stdout" -> Optional.of(stream).filter(each -> each == Stream.STDOUT);
            case "stderr" -> Optional.of(stream).filter(each -> each == Stream.STDERR);
            default ->
                    throw new Refusal(
                            Reason.INVALID_ARGUMENT,
                            "stream must be stdout, stderr or both.",
                            Map.of("parameter", "stream"));
        };
    }

    private SpooledOutput.Piece read(RouteRequest ask, ExecutionRecord record, Stream stream) {
        var offset = ask.number("offset", OFFSET);
        var limit = Math.toIntExact(ask.number("limit", BYTES));
        return record.completion().isPresent()
                ? output.read(record.owner(), record.id(), stream, offset, limit)
                : output.follow(record.owner(), record.id(), stream, offset, limit);
    }

    private Response events(RouteRequest ask, ExecutionRecord record, RunFormat format) {
        var run = runs.find(record.id());
        if (run.isEmpty() && executions.require(ask).completion().isEmpty()) {
            throw new Refusal(
                    Reason.CONFLICT,
                    "The program runs in another process of this server; ask for JSON.",
                    Map.of(Refusal.RETRYABLE, false));
        }
        var shown =
                new StreamedRun(
                        record.owner(),
                        record.id(),
                        record.request().traceId(),
                        record.request().language(),
                        record.request().thread());
        var from =
                new OutputFollower.Offsets(
                        ask.number("stdout_offset", OFFSET), ask.number("stderr_offset", OFFSET));
        return showing.show(
                EventWriter.open(ask, format),
                shown,
                run,
                from,
                () -> RunResult.of(executions.detail(ask, executions.require(ask))));
    }
}
