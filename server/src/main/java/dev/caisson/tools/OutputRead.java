package dev.caisson.tools;

import dev.caisson.broker.Call;
import dev.caisson.broker.Content;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.Range;
import dev.caisson.json.Records;
import dev.caisson.json.SchemaOf;
import dev.caisson.redact.Redaction;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.Sink.Stream;
import dev.caisson.share.Computing;
import dev.caisson.share.Workers;
import dev.caisson.storage.Grep;
import dev.caisson.storage.OutputCapture;
import dev.caisson.storage.Spool;
import dev.caisson.storage.SpooledOutput;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// Reads what an execution wrote, beyond what its answer could carry.
public final class OutputRead implements Tool {
    static final String NAME = "output_read";
    static final int LIMIT_MAX = 256 << 10;
    static final int LINES_MAX = 1000;

    private final Spool spool;
    private final Profile profile;
    private final Redaction redaction;
    private final Workers workers;
    private final ToolSpec spec;

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
            @Describe("As the answer of the run has it.") @Length(min = 1, max = 200)
                    String executionId,
            @Describe(
                            "both has each stretch as it was read: errors never before output written"
                                    + " earlier; offset counts its chunks. data is the value"
                                    + " the program handed over, as JSON, when its answer says that it"
                                    + " was too large.")
                    @DefaultsTo("stdout")
                    Which stream,
            @Describe("Where to start, in bytes.") @Range(min = 0, max = 1L << 40) @DefaultsTo("0")
                    long offset,
            @Describe("How many bytes.") @Range(min = 1, max = LIMIT_MAX) @DefaultsTo("65536")
                    int limit,
            @Describe(
                            "A regular expression of RE2's syntax, without look-around and back-references:"
                                    + " only the lines it is found in are returned.")
                    @Length(min = 1, max = Grep.PATTERN_LENGTH_MAX)
                    Optional<String> grep,
            @Describe("How many lines grep returns.")
                    @Range(min = 1, max = LINES_MAX)
                    @DefaultsTo("100")
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

    public OutputRead(Spool spool, Profile profile, Redaction redaction, Workers workers) {
        this.redaction = redaction;
        this.workers = workers;
        this.spool = spool;
        this.profile = profile;
        this.spec =
                ToolSpec.of(
                                NAME,
                                "Read the output of a run",
                                "Reads stdout or stderr of an execution of yours from an offset on,"
                                        + " both as they were read, or the lines a"
                                        + " regular expression is found in; or a value that was too"
                                        + " large for its answer. Of each stream the first "
                                        + Words.bytes(spool.limits().spoolBytes())
                                        + " are kept.",
                                SchemaOf.record(Input.class))
                        .returning(SchemaOf.result(Output.class))
                        .hinted(new ToolSpec.Hints(true, false, true, false))
                        .within(Scope.RUN);
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    /// Its texts are redacted with what stands around them.
    @Override
    public boolean redactsItself() {
        return true;
    }

    @Override
    public ToolResult call(Call call, ObjectNode arguments) throws InterruptedException {
        var input = Records.read(arguments, Input.class);
        var redactor = redaction.ofKept(NAME, call.caller().id(), profile.secrets().values());
        var spooled =
                spool.find(call.caller(), input.executionId())
                        .orElseThrow(() -> unknown(input.executionId()));
        var computing = new Computing(workers, call.caller().id());
        var output =
                switch (input.stream()) {
                    case STDOUT -> one(input, spooled, Stream.STDOUT, redactor, computing);
                    case STDERR -> one(input, spooled, Stream.STDERR, redactor, computing);
                    case BOTH -> computing.run(() -> both(input, spooled, redactor));
                    case DATA -> computing.run(() -> data(input, spooled, redactor));
                };
        return new ToolResult(
                List.of(Content.text(text(output))), Optional.of(Records.tree(output)), false);
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
            Computing computing)
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
                            + ": it handed over none, or its answer has it.");
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
