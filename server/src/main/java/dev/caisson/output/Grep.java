package dev.caisson.output;

import dev.caisson.call.Refusal;
import dev.caisson.redact.Redactor;
import dev.caisson.search.Expression;
import dev.caisson.share.CallerWorkers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Search for a regular expression in the redacted lines of a stream, within bounds of time and of
/// output, so that it neither shows nor confirms what was struck. The expression comes from
/// outside, see [Expression]; the search is done in steps on threads that compute, and only its own
/// time counts.
public final class Grep {
    public static final int PATTERN_LENGTH_MAX = Expression.LENGTH_MAX;
    private static final int TEXT_BYTES_MAX = 64 << 10;
    private static final Duration TIME_MAX = Duration.ofSeconds(10);

    private final Expression pattern;
    private final int linesMax;

    /// @throws Refusal INVALID_ARGUMENT when it is not a regular expression
    public Grep(String pattern, int linesMax) {
        this.linesMax = linesMax;
        this.pattern = Expression.of("grep", pattern, false);
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

    Found search(OutputPart part, Redactor redactor, CallerWorkers computing)
            throws InterruptedException {
        try (var lines = new RedactedLines(part, redactor)) {
            var search = new Search(lines);
            computing.runAll(search::next);
            return new Found(search.found, search.end);
        } catch (IOException e) {
            throw new UncheckedIOException("stored output cannot be searched", e);
        }
    }

    /// One walk through a stream.
    private final class Search {
        private final RedactedLines lines;
        private final Expression.Search search = pattern.search(this::requireTime);
        private final List<Line> found = new ArrayList<>();
        private long nanosLeft = TIME_MAX.toNanos();
        private long deadline;
        private End end = End.COMPLETE;
        private int textBytes;

        Search(RedactedLines lines) {
            this.lines = lines;
        }

        /// Looks at one line.
        ///
        /// @return whether to go on
        boolean next() throws IOException {
            long begun = System.nanoTime();
            try {
                deadline = begun + nanosLeft;
                return nextLine();
            } catch (OutOfTime e) {
                end = End.OUT_OF_TIME;
                return false;
            } finally {
                nanosLeft -= System.nanoTime() - begun;
            }
        }

        private boolean nextLine() throws IOException {
            requireTime();
            var line = lines.next();
            if (line.isEmpty()) {
                return false;
            }
            if (!look(line.get())) {
                end = End.ENOUGH_FOUND;
                return false;
            }
            return true;
        }

        /// @return whether there is room for more
        private boolean look(RedactedLines.Line line) {
            if (search.isFoundIn(line.text())) {
                found.add(new Line(line.number(), line.offset(), line.text()));
                textBytes += line.bytes();
            }
            return found.size() < linesMax && textBytes < TEXT_BYTES_MAX;
        }

        private void requireTime() {
            if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
                throw new OutOfTime();
            }
        }
    }

    private static final class OutOfTime extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutOfTime() {
            super("out of time", null, false, false);
        }
    }
}
