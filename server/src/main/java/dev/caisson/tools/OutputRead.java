package dev.caisson.tools;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.ToolSpec.Hints;
import dev.caisson.broker.TypedTool;
import dev.caisson.broker.TypedTool.Answer;
import dev.caisson.call.Call;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.Range;
import dev.caisson.output.Grep;
import dev.caisson.output.OutputCapture;
import dev.caisson.output.Spool;
import dev.caisson.output.SpooledOutput;
import dev.caisson.redact.Redaction;
import dev.caisson.redact.Redactor;
import dev.caisson.runs.ExecutionText;
import dev.caisson.runs.Quantities;
import dev.caisson.runs.RunOutput;
import dev.caisson.runs.RunProfiles;
import dev.caisson.sandbox.Sink.Stream;
import dev.caisson.share.CallerWorkers;
import dev.caisson.share.Workers;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Tool that reads the stored output of an execution, beyond what its answer could carry.
public final class OutputRead {
    public static final String NAME = RunOutput.TOOL;
    static final int LIMIT_MAX = 256 << 10;
    static final int LINES_MAX = 1000;

    private final Spool spool;
    private final RunProfiles profiles;
    private final Redaction redaction;
    private final Workers workers;

    /// Which stream is read.
    enum Which {
        STDOUT,
        STDERR,
        /// Both, in the order they were read.
        BOTH,
        /// The value that was handed over, where it was too large for the answer.
        DATA
    }

    record Input(
            @Length(min = 1, max = 200) String executionId,
            @Describe(
                            "both: in the order they were read, offset counts chunks. data: a value too"
                                    + " large for the answer.")
                    @DefaultsTo("stdout")
                    Which stream,
            @Describe("In bytes.") @Range(min = 0, max = 1L << 40) @DefaultsTo("0") long offset,
            @Describe("Bytes.") @Range(min = 1, max = LIMIT_MAX) @DefaultsTo("65536") int limit,
            @Describe("Regular expression: only lines it is found in.")
                    @Length(min = 1, max = Grep.PATTERN_LENGTH_MAX)
                    Optional<String> grep,
            @Describe("Of grep.") @Range(min = 1, max = LINES_MAX) @DefaultsTo("100")
                    int maxLines) {}

    /// @param nextOffset where to go on
    /// @param end why grep stopped: complete, enough_found or out_of_time
    record Output(
            String executionId,
            Which stream,
            Optional<String> text,
            Optional<Long> offset,
            Optional<Long> nextOffset,
            Optional<Boolean> last,
            Optional<Long> storedBytes,
            Optional<List<Line>> lines,
            Optional<Grep.End> end,
            Optional<List<Chunk>> chunks) {}

    record Line(long number, long offset, String text) {}

    record Chunk(String stream, int atMs, String text) {}

    private OutputRead(Spool spool, RunProfiles profiles, Redaction redaction, Workers workers) {
        this.redaction = redaction;
        this.workers = workers;
        this.spool = spool;
        this.profiles = profiles;
    }

    /// Its texts are redacted with what stands around them.
    public static Tool tool(
            Spool spool, RunProfiles profiles, Redaction redaction, Workers workers) {
        return TypedTool.of(
                        ToolSpec.named(
                                        NAME,
                                        "Read the output of a run",
                                        "Reads stored output of an execution: a stretch from an offset"
                                                + " on, or the lines an expression is found in. The first "
                                                + Quantities.bytes(spool.limits().spoolBytes())
                                                + " of each stream are kept.")
                                .unlisted("max_lines")
                                .hinted(Hints.READS)
                                .within(Scope.RUN),
                        Input.class,
                        Output.class,
                        new OutputRead(spool, profiles, redaction, workers)::read)
                .redactingItself();
    }

    private Answer<Output> read(Call call, Input input) throws InterruptedException {
        var redactor =
                redaction.ofKept(
                        NAME,
                        call.caller().id(),
                        profiles.named(call.caller().profile()).secrets().values());
        var spooled =
                spool.find(call.caller(), input.executionId())
                        .orElseThrow(() -> unknown(input.executionId()));
        var computing = new CallerWorkers(workers, call.caller().id());
        var output =
                switch (input.stream()) {
                    case STDOUT -> one(input, spooled, Stream.STDOUT, redactor, computing);
                    case STDERR -> one(input, spooled, Stream.STDERR, redactor, computing);
                    case BOTH -> computing.run(() -> both(input, spooled, redactor));
                    case DATA -> computing.run(() -> data(input, spooled, redactor));
                };
        return Answer.of(output, text(output));
    }

    private static Refusal unknown(String executionId) {
        return new Refusal(
                Reason.NOT_FOUND,
                "There is no stored output of an execution "
                        + executionId
                        + ": it wrote nothing, is not yours, or is not kept any more.");
    }

    private static Output one(
            Input input,
            SpooledOutput spooled,
            Stream stream,
            Redactor redactor,
            CallerWorkers computing)
            throws InterruptedException {
        if (input.grep().isEmpty()) {
            return computing.run(() ->
                    piece(input, spooled.read(stream, input.offset(), input.limit(), redactor)));
        }
        var expression = input.grep().get();
        var grep = computing.run(() -> new Grep(expression, input.maxLines()));
        return lines(input, spooled.grep(stream, grep, redactor, computing));
    }

    private static Output data(Input input, SpooledOutput spooled, Redactor redactor) {
        requireNoGrep(input);
        if (spooled.valueBytes() == 0) {
            throw new Refusal(
                    Reason.NOT_FOUND,
                    "There is no stored value of execution "
                            + input.executionId()
                            + ": the program returned none, or its answer has it.");
        }
        return piece(input, spooled.readValue(input.offset(), input.limit(), redactor.exactly()));
    }

    private static void requireNoGrep(Input input) {
        if (input.grep().isPresent()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT, "grep reads one stream: ask for stdout or stderr.");
        }
    }

    private static Output piece(Input input, SpooledOutput.Piece piece) {
        return new Output(
                input.executionId(),
                input.stream(),
                Optional.of(piece.text()),
                Optional.of(piece.offset()),
                Optional.of(piece.nextOffset()),
                Optional.of(piece.last()),
                Optional.of(piece.storedBytes()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static Output lines(Input input, Grep.Found found) {
        var lines =
                found.lines().stream()
                        .map(line -> new Line(line.number(), line.offset(), line.text()))
                        .toList();
        return new Output(
                input.executionId(),
                input.stream(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(lines),
                Optional.of(found.end()),
                Optional.empty());
    }

    private static Output both(Input input, SpooledOutput spooled, Redactor redactor) {
        requireNoGrep(input);
        var moments = spooled.interleaved(input.offset(), input.limit(), redactor);
        var chunks =
                moments.moments().stream()
                        .map(moment ->
                                new Chunk(
                                        OutputCapture.word(moment.stream()),
                                        moment.millis(),
                                        moment.text()))
                        .toList();
        return new Output(
                input.executionId(),
                input.stream(),
                Optional.empty(),
                Optional.of(input.offset()),
                Optional.of(moments.nextChunk()),
                Optional.of(moments.last()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(chunks));
    }

    private static String text(Output output) {
        var lines =
                output.lines().orElse(List.of()).stream()
                        .map(line -> line.number() + ": " + line.text() + "\n")
                        .collect(Collectors.joining());
        var chunks =
                output.chunks().orElse(List.of()).stream()
                        .map(chunk -> "[%s] %s".formatted(chunk.stream(), chunk.text()))
                        .collect(Collectors.joining());
        var more =
                output.last().orElse(true)
                        ? ""
                        : "\n[... more from offset %d ...]"
                                .formatted(output.nextOffset().orElse(0L));
        return ExecutionText.visible(output.text().orElse("") + lines + chunks) + more;
    }
}
