package dev.caisson.output;

import dev.caisson.redact.Redactor;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Queue;

/// The lines of a part of stored output, redacted. Each is judged with what stands around it, so
/// that a secret which spans lines, or is cut by the border of a piece, is recognised in every one
/// of them.
///
/// It is read in blocks of whole lines, with a window before and behind each.
final class RedactedLines implements Closeable {
    /// A longer line comes in pieces of this length.
    static final int LINE_BYTES_MAX = 16 << 10;

    private static final int BLOCK_BYTES = 256 << 10;

    private final OutputPart.Reader file;
    private final Redactor redactor;
    private final Queue<Line> ready = new ArrayDeque<>();
    private long number = 1;
    private long offset;

    /// @param number counted from 1; the same for all pieces of a line
    /// @param offset of its first byte
    /// @param bytes it has there, without its end
    record Line(long number, long offset, int bytes, String text) {}

    RedactedLines(OutputPart part, Redactor redactor) throws IOException {
        this.file = part.open();
        this.redactor = redactor;
    }

    /// @return empty at the end
    Optional<Line> next() throws IOException {
        if (ready.isEmpty()) {
            readBlock();
        }
        return Optional.ofNullable(ready.poll());
    }

    /// A line, or a piece of one, by its place in the window.
    ///
    /// @param next where the one behind it starts
    private record Stretch(int from, int to, int next, boolean whole) {}

    private void readBlock() throws IOException {
        var before = (int) Math.min(OutputLimits.WINDOW, offset);
        var start = offset - before;
        var window = file.read(start, before + BLOCK_BYTES + OutputLimits.WINDOW);
        var atEnd = start + window.length >= file.length();
        var limit = atEnd ? window.length : Math.min(window.length, before + BLOCK_BYTES);
        var stretches = new ArrayList<Stretch>();
        for (var at = before; at < limit; ) {
            var stretch = stretch(window, at, limit);
            if (stretch.isEmpty() && !atEnd) {
                break;
            }
            stretches.add(stretch.orElse(new Stretch(at, limit, limit, true)));
            at = stretches.getLast().next();
        }
        judge(window, before, stretches);
    }

    /// @return empty when it goes on behind the limit
    private static Optional<Stretch> stretch(byte[] window, int from, int limit) {
        for (var at = from; at < limit; at++) {
            if (window[at] == '\n') {
                return Optional.of(new Stretch(from, at, at + 1, true));
            }
            if (at - from == LINE_BYTES_MAX) {
                var cut = Utf8.borderBefore(window, from, at, limit);
                return Optional.of(new Stretch(from, cut, cut, false));
            }
        }
        return Optional.empty();
    }

    /// Puts the text together as it was cut, so that the place of each stretch in it is known.
    private void judge(byte[] window, int before, Iterable<Stretch> stretches) {
        var text = new StringBuilder(Utf8.decode(window, 0, before).text());
        var places = new ArrayDeque<int[]>();
        var end = before;
        for (var stretch : stretches) {
            var from = text.length();
            text.append(Utf8.decode(window, stretch.from(), stretch.to()).text());
            places.add(new int[] {from, text.length()});
            text.append(stretch.next() > stretch.to() ? "\n" : "");
            end = stretch.next();
        }
        text.append(Utf8.decode(window, end, window.length).text());
        var judged = redactor.judge(text.toString());
        for (var stretch : stretches) {
            var place = places.remove();
            var bytes = stretch.to() - stretch.from();
            ready.add(new Line(number, offset, bytes, judged.piece(place[0], place[1])));
            number += stretch.whole() ? 1 : 0;
            offset += stretch.next() - stretch.from();
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
