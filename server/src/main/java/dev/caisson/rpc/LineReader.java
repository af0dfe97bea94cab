package dev.caisson.rpc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Reads lines of bounded length. One that is too long is read to its end and thrown away, so the
/// next begins where it should; or it is the last, for whoever does not wait for an end that may
/// never come.
public final class LineReader {
    private static final int CHUNK = 64 << 10;

    public sealed interface Line {}

    @SuppressWarnings("ArrayRecordComponent")
    public // Lines are never compared.
    record Whole(byte[] bytes) implements Line {}

    public record TooLong(int most) implements Line {}

    private final InputStream in;
    private final int most;
    private final boolean cutting;
    private final byte[] chunk = new byte[CHUNK];
    private int start;
    private int end;

    public LineReader(InputStream in, int most) {
        this(in, most, false);
    }

    private LineReader(InputStream in, int most, boolean cutting) {
        this.in = in;
        this.most = most;
        this.cutting = cutting;
    }

    /// A reader that says of a line that it is too long as soon as it is. Nothing is read after it.
    public static LineReader cutting(InputStream in, int most) {
        return new LineReader(in, most, true);
    }

    /// The next line that is not blank; empty at the end of the input.
    public Optional<Line> next() throws IOException {
        var line = new ByteArrayOutputStream();
        var tooLong = false;
        while (start < end || fill()) {
            int stop = lineEnd();
            tooLong |= line.size() + (stop - start) > most;
            if (tooLong && cutting) {
                break;
            }
            if (!tooLong) {
                line.write(chunk, start, stop - start);
            }
            var complete = stop < end;
            start = complete ? stop + 1 : stop;
            if (complete && (tooLong || !blank(line))) {
                return Optional.of(line(line, tooLong));
            }
            if (complete) {
                line.reset();
            }
        }
        return tooLong || !blank(line) ? Optional.of(line(line, tooLong)) : Optional.empty();
    }

    private Line line(ByteArrayOutputStream line, boolean tooLong) {
        return tooLong ? new TooLong(most) : new Whole(line.toByteArray());
    }

    private boolean fill() throws IOException {
        start = 0;
        end = Math.max(0, in.read(chunk));
        return end > 0;
    }

    private int lineEnd() {
        int at = start;
        while (at < end && chunk[at] != '\n') {
            at++;
        }
        return at;
    }

    private static boolean blank(ByteArrayOutputStream line) {
        return line.toString(StandardCharsets.ISO_8859_1).isBlank();
    }
}
