package dev.caisson.output;

import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.Sink.Stream;
import dev.caisson.share.CallerWorkers;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Stored output of one execution. Everything is handed out in bounded pieces, redacted.
public final class SpooledOutput {
    /// How many chunks are handed out at once, however short they are: each is redacted with what
    /// is around it.
    static final int MOMENTS_MAX = 500;

    private final Map<Stream, OutputPart> streams;
    private final OutputPart timeline;
    private final OutputPart value;

    private SpooledOutput(Map<Stream, OutputPart> streams, OutputPart timeline, OutputPart value) {
        this.streams = streams;
        this.timeline = timeline;
        this.value = value;
    }

    /// One whose every part is a file.
    static SpooledOutput inFiles(Path directory) {
        return new SpooledOutput(
                Map.of(
                        Stream.STDOUT, file(directory, OutputCapture.word(Stream.STDOUT)),
                        Stream.STDERR, file(directory, OutputCapture.word(Stream.STDERR))),
                file(directory, OutputCapture.TIMELINE),
                file(directory, ValueStore.DATA));
    }

    /// One of which at most the value is a file.
    static SpooledOutput inMemory(SmallOutput small, Path directory) {
        return new SpooledOutput(
                Map.of(
                        Stream.STDOUT, new OutputPart.InMemory(small.stdout()),
                        Stream.STDERR, new OutputPart.InMemory(small.stderr())),
                new OutputPart.InMemory(small.timeline()),
                file(directory, ValueStore.DATA));
    }

    private static OutputPart file(Path directory, String name) {
        return new OutputPart.InFile(directory.resolve(name));
    }

    /// A stretch of a stream.
    ///
    /// @param offset where it starts, in bytes
    /// @param nextOffset where the next one starts
    /// @param storedBytes that there are
    /// @param faithful false when something was not UTF-8 and was replaced
    public record Piece(
            String text, long offset, long nextOffset, long storedBytes, boolean faithful) {
        /// Of a stream without a byte.
        public static final Piece NOTHING = new Piece("", 0, 0, 0, true);

        public boolean last() {
            return nextOffset >= storedBytes;
        }
    }

    /// A stretch of one stream with its moment.
    public record Moment(Stream stream, int millis, String text) {}

    /// A part of both streams in the order of time.
    ///
    /// @param nextChunk the number of the first chunk that is not part of it
    public record Moments(List<Moment> moments, long nextChunk, boolean last) {}

    /// A stretch of one stream, of which the next is another's or later.
    ///
    /// @param end behind its last byte, where a character ends
    public record Stretch(Stream stream, long end) {}

    boolean hasStreams() {
        return streams.values().stream().anyMatch(OutputPart::isThere);
    }

    public long storedBytes(Stream stream) {
        return part(stream).length();
    }

    /// Up to `limit` bytes from an offset on. It ends where a character ends, so pieces can be put
    /// together.
    public Piece read(Stream stream, long offset, int limit, Redactor redactor) {
        return read(part(stream), offset, limit, redactor);
    }

    /// How many bytes the value has that was handed over; 0 when none is kept.
    public long valueBytes() {
        return value.length();
    }

    /// Up to `limit` bytes of the JSON of the value. It was redacted before it was kept.
    ///
    /// @param redactor of exact values alone: patterns could take what belongs to the JSON
    public Piece readValue(long offset, int limit, Redactor redactor) {
        return read(value, offset, limit, redactor);
    }

    /// What is removed meanwhile has no bytes.
    private static Piece read(OutputPart part, long offset, int limit, Redactor redactor) {
        try {
            return readStored(part, offset, limit, redactor);
        } catch (UncheckedIOException failed) {
            if (!part.isThere()) {
                return Piece.NOTHING;
            }
            throw failed;
        }
    }

    private static Piece readStored(OutputPart part, long offset, int limit, Redactor redactor) {
        var stored = part.length();
        if (offset >= stored) {
            return new Piece("", stored, stored, stored, true);
        }
        var before = (int) Math.min(OutputLimits.WINDOW, offset);
        var bytes = part.bytes(offset - before, before + limit + OutputLimits.WINDOW);
        var to = Math.min(bytes.length, before + limit);
        var cut = to == bytes.length ? to : Utf8.borderBefore(bytes, before, to, bytes.length);
        var end = cut > before ? cut : to;
        var head = Utf8.decode(bytes, 0, before).text();
        var middle = Utf8.decode(bytes, before, end);
        var tail = Utf8.decode(bytes, end, bytes.length).text();
        var text =
                redactor.piece(
                        head + middle.text() + tail,
                        head.length(),
                        head.length() + middle.text().length());
        return new Piece(text, offset, offset + end - before, stored, middle.faithful());
    }

    /// Up to `limit` bytes from an offset on, of output that is still being written: nothing whose
    /// meaning can change with what comes. Mostly that is whole lines.
    public Piece follow(Stream stream, long offset, int limit, Redactor redactor) {
        var stored = storedBytes(stream);
        if (offset >= stored) {
            return new Piece("", offset, offset, stored, true);
        }
        var known = stored - offset - OutputLimits.WINDOW;
        if (known > 0) {
            return read(stream, offset, (int) Math.min(limit, known), redactor);
        }
        var before = (int) Math.min(OutputLimits.WINDOW, offset);
        var bytes = part(stream).bytes(offset - before, before + limit);
        var settled = settledBytes(bytes, redactor) - before;
        return settled <= 0
                ? new Piece("", offset, offset, stored, true)
                : read(stream, offset, settled, redactor);
    }

    /// A line break is one byte in one character, also among bytes that are no text.
    private static int settledBytes(byte[] bytes, Redactor redactor) {
        var text = Utf8.decode(bytes, 0, bytes.length).text();
        var lines =
                text.substring(0, redactor.settled(text)).chars().filter(c -> c == '\n').count();
        var end = 0;
        for (var at = 0; at < bytes.length && lines > 0; at++) {
            if (bytes[at] == '\n') {
                lines--;
                end = at + 1;
            }
        }
        return end;
    }

    /// In which order the streams were read, from a chunk on, up to [#MOMENTS_MAX] chunks. While
    /// output comes the last chunk is not known yet, and all that is stored and not part of those
    /// that are known is the last one's.
    public List<Stretch> order(long firstChunk) {
        if (!timeline.isThere()) {
            return List.of();
        }
        var from = firstChunk * StreamOrder.RECORD_BYTES;
        var records = ByteBuffer.wrap(timeline.bytes(from, MOMENTS_MAX * StreamOrder.RECORD_BYTES));
        var stretches = new ArrayList<Stretch>();
        while (records.remaining() >= StreamOrder.RECORD_BYTES) {
            var entry = StreamOrder.Entry.read(records);
            var end = entry.offset() + entry.length();
            stretches.add(new Stretch(entry.stream(), border(entry.stream(), end)));
        }
        return stretches;
    }

    private long border(Stream stream, long end) {
        if (end >= storedBytes(stream)) {
            return end;
        }
        var from = Math.max(0, end - Utf8.SEQUENCE_MAX);
        var around = part(stream).bytes(from, 2 * Utf8.SEQUENCE_MAX);
        return from + Utf8.borderBefore(around, 0, (int) (end - from), around.length);
    }

    /// Both streams in the order they were read, from a chunk on, up to about `limit` bytes and to
    /// [#MOMENTS_MAX] chunks.
    public Moments interleaved(long firstChunk, int limit, Redactor redactor) {
        var chunks = timeline.length() / StreamOrder.RECORD_BYTES;
        var moments = new ArrayList<Moment>();
        var chunk = firstChunk;
        for (var left = limit;
                chunk < chunks && left > 0 && moments.size() < MOMENTS_MAX;
                chunk++) {
            var record = timeline.bytes(chunk * StreamOrder.RECORD_BYTES, StreamOrder.RECORD_BYTES);
            var entry = StreamOrder.Entry.read(ByteBuffer.wrap(record));
            var piece = read(entry.stream(), entry.offset(), entry.length(), redactor);
            moments.add(new Moment(entry.stream(), entry.millis(), piece.text()));
            left -= entry.length();
        }
        return new Moments(moments, chunk, chunk >= chunks);
    }

    public Grep.Found grep(Stream stream, Grep grep, Redactor redactor, CallerWorkers computing)
            throws InterruptedException {
        return part(stream).isThere()
                ? grep.search(part(stream), redactor, computing)
                : Grep.Found.NONE;
    }

    private OutputPart part(Stream stream) {
        return Objects.requireNonNull(streams.get(stream));
    }
}
