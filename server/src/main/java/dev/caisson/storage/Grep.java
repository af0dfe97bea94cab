package dev.caisson.storage;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.redact.Redactor;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// Looks for a regular expression in the lines of a file, within bounds of time and of output. The
/// expression comes from outside: one that backtracks without end is stopped by the clock.
public final class Grep {
    /// A longer line is looked at in pieces of this length.
    static final int LINE_BYTES_MAX = 16 << 10;

    public static final int PATTERN_LENGTH_MAX = 1000;
    private static final int TEXT_BYTES_MAX = 64 << 10;
    private static final Duration TIME_MAX = Duration.ofSeconds(2);

    private final Pattern pattern;
    private final int linesMax;

    /// @throws Refusal INVALID_ARGUMENT when it is not a regular expression
    public Grep(String pattern, int linesMax) {
        this.linesMax = linesMax;
        if (pattern.length() > PATTERN_LENGTH_MAX) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "grep is longer than " + PATTERN_LENGTH_MAX + " characters.");
        }
        try {
            this.pattern = Pattern.compile(pattern);
        } catch (PatternSyntaxException | StackOverflowError e) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT, "grep is not a regular expression: " + describe(e));
        }
    }

    private static String describe(Throwable problem) {
        return problem instanceof PatternSyntaxException syntax
                ? syntax.getDescription() + " at " + syntax.getIndex()
                : "it is nested too deep";
    }

    /// @param number counted from 1
    /// @param offset of its first byte
    public record Line(long number, long offset, String text) {}

    /// How a search ended.
    public enum End {
        COMPLETE,
        ENOUGH_FOUND,
        OUT_OF_TIME
    }

    public record Found(List<Line> lines, End end) {
        static final Found NONE = new Found(List.of(), End.COMPLETE);
    }

    Found search(Path file, Redactor redactor) {
        var search = new Search(redactor);
        try (var bytes = new BufferedInputStream(new FileInputStream(file.toFile()), 64 << 10)) {
            return new Found(search.found, search.run(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException("stored output cannot be searched", e);
        } catch (OutOfTime | StackOverflowError e) {
            return new Found(search.found, End.OUT_OF_TIME);
        }
    }

    /// One walk through a file.
    private final class Search {
        private final Redactor redactor;
        private final long deadline = System.nanoTime() + TIME_MAX.toNanos();
        private final List<Line> found = new ArrayList<>();
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();
        private long number = 1;
        private long lineOffset;
        private long offset;
        private int textBytes;

        Search(Redactor redactor) {
            this.redactor = redactor;
        }

        End run(InputStream bytes) throws IOException {
            for (var one = bytes.read(); one >= 0; one = bytes.read()) {
                offset++;
                if (one != '\n') {
                    line.write(one);
                }
                if ((one == '\n' || line.size() >= LINE_BYTES_MAX) && !endLine(one == '\n')) {
                    return End.ENOUGH_FOUND;
                }
            }
            return line.size() == 0 || endLine(true) ? End.COMPLETE : End.ENOUGH_FOUND;
        }

        /// @return whether there is room for more
        private boolean endLine(boolean whole) {
            var raw = line.toByteArray();
            var text = Utf8.decode(raw, 0, raw.length).text();
            if (pattern.matcher(new Timed(text, deadline)).find()) {
                found.add(new Line(number, lineOffset, redactor.text(text)));
                textBytes += raw.length;
            }
            line.reset();
            lineOffset = offset;
            number += whole ? 1 : 0;
            return found.size() < linesMax && textBytes < TEXT_BYTES_MAX;
        }
    }

    private static final class OutOfTime extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutOfTime() {
            super("out of time", null, false, false);
        }
    }

    /// A text that stops being read when the time is over.
    private record Timed(String text, long deadline) implements CharSequence {
        @Override
        public char charAt(int index) {
            if ((index & 0x3f) == 0 && System.nanoTime() > deadline) {
                throw new OutOfTime();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Timed(text.substring(start, end), deadline);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
