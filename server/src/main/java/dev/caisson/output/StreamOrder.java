package dev.caisson.output;

import dev.caisson.sandbox.Sink.Stream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/// Index of the order in which the two streams were written.
///
/// The file is a row of records of [#RECORD_BYTES] bytes each, big-endian: stream (1 byte: 0
/// stdout, 1 stderr), milliseconds since the start (4), offset in the stream (8), length (4).
/// Writes of one stream that follow each other closely share a record.
final class StreamOrder {
    static final int RECORD_BYTES = 1 + 4 + 8 + 4;

    /// A program that alternates more often than this keeps its first records only.
    static final int RECORDS_MAX = 100_000;

    private static final int GAP_MILLIS = 20;
    private static final int LENGTH_MAX = 64 << 10;

    record Entry(Stream stream, int millis, long offset, int length) {
        static Entry read(ByteBuffer buffer) {
            var stream = buffer.get() == 0 ? Stream.STDOUT : Stream.STDERR;
            return new Entry(stream, buffer.getInt(), buffer.getLong(), buffer.getInt());
        }

        byte[] bytes() {
            return ByteBuffer.allocate(RECORD_BYTES)
                    .put((byte) (stream == Stream.STDOUT ? 0 : 1))
                    .putInt(millis)
                    .putLong(offset)
                    .putInt(length)
                    .array();
        }

        boolean continuedBy(Stream nextStream, int nextMillis, int nextLength) {
            return stream == nextStream
                    && nextMillis - millis <= GAP_MILLIS
                    && length + nextLength <= LENGTH_MAX;
        }

        Entry extended(int more) {
            return new Entry(stream, millis, offset, length + more);
        }
    }

    private final OutputStream file;
    private Optional<Entry> open = Optional.empty();
    private int records;

    StreamOrder(OutputStream file) {
        this.file = file;
    }

    void note(Stream stream, int millis, long offset, int length) throws IOException {
        if (open.isPresent() && open.get().continuedBy(stream, millis, length)) {
            open = Optional.of(open.get().extended(length));
            return;
        }
        flush();
        open = Optional.of(new Entry(stream, millis, offset, length));
    }

    void flush() throws IOException {
        if (open.isPresent() && records < RECORDS_MAX) {
            file.write(open.get().bytes());
            records++;
        }
        open = Optional.empty();
    }
}
