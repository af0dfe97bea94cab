package dev.caisson.search;

import dev.caisson.linux.RegularFiles;
import dev.caisson.linux.UntrustedDirectory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Search for an expression in the lines of files, block by block. A file with a zero byte in its
/// first bytes is binary and not searched further. A line longer than a block is taken as several.
public final class LineScan implements Seeker.Visitor {
    /// How much of a line is to be shown, in characters.
    public static final int SHOWN_MAX = 2_000;

    /// How much of a line is kept, in bytes: what is shown, and what stands behind.
    private static final int KEPT_BYTES_MAX = 16 << 10;

    static final int BLOCK_BYTES = 1 << 20;
    private static final int BINARY_LOOK_BYTES = 8 << 10;

    /// The column is not looked for in longer ones.
    private static final int COLUMN_BYTES_MAX = 64 << 10;

    /// What is wanted of each file.
    public enum Mode {
        LINES,
        /// Whether there is one.
        FILES,
        COUNTS
    }

    /// @param before lines that are shown before each that matches
    /// @param after the same behind it
    public record Wish(Mode mode, int before, int after) {}

    private final Expression.Search search;
    private final Wish wish;
    private final SeekBounds bounds;
    private final LineHits hits;
    private final RegularFiles files = new RegularFiles();
    private final byte[] block = new byte[BLOCK_BYTES];
    private final List<LineHits.Line> found = new ArrayList<>();

    private byte[] path = {};
    private long size;
    private long read;
    private int filled;

    /// Where the first line begins that was not searched.
    private int unsearched;

    /// Up to where lines were counted, and the number of the line that begins there.
    private int counted;

    private long number;
    private long count;
    private int owed;
    private int shown;
    private long foundText;
    private boolean first;

    private static final class OutOfTime extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutOfTime() {
            super("out of time", null, false, false);
        }
    }

    public LineScan(Expression expression, Wish wish, SeekBounds bounds, LineHits hits) {
        long deadline = System.nanoTime() + bounds.time().toNanos();
        search = expression.search(() -> requireTime(deadline));
        this.wish = wish;
        this.bounds = bounds;
        this.hits = hits;
    }

    private static void requireTime(long deadline) {
        if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
            throw new OutOfTime();
        }
    }

    @Override
    public void begin(UntrustedDirectory directory, byte[] newPath, byte[] name) {
        var node = files.open(directory, name);
        path = newPath;
        size = node.size();
        read = 0;
        filled = 0;
        unsearched = 0;
        counted = 0;
        shown = 0;
        number = 1;
        count = 0;
        owed = 0;
        first = true;
        found.clear();
        foundText = 0;
    }

    @Override
    public boolean next() {
        try {
            return step();
        } catch (OutOfTime e) {
            finish();
            return false;
        }
    }

    private boolean step() {
        if (size > bounds.fileBytes()) {
            hits.tooLarge();
            files.closeFile();
            return false;
        }
        boolean ended = fill();
        if (first && isBinary()) {
            hits.searched(true);
            files.closeFile();
            return false;
        }
        first = false;
        int to = ended ? filled : lastBreak();
        int end = to > unsearched && block[to - 1] == '\n' ? to - 1 : to;
        boolean enough = to > unsearched && lines(end);
        if (ended || enough) {
            finish();
            return false;
        }
        keep(to);
        return true;
    }

    /// @return whether the file is at its end
    private boolean fill() {
        while (filled < block.length) {
            if (read >= size) {
                return true;
            }
            int more = files.read(block, filled);
            if (more <= 0) {
                return true;
            }
            filled += more;
            read += more;
        }
        return read >= size;
    }

    private boolean isBinary() {
        for (int at = 0; at < Math.min(filled, BINARY_LOOK_BYTES); at++) {
            if (block[at] == 0) {
                return true;
            }
        }
        return false;
    }

    /// @return behind the last line break; behind everything when there is none
    private int lastBreak() {
        for (int at = filled; at > unsearched; at--) {
            if (block[at - 1] == '\n') {
                return at;
            }
        }
        return filled;
    }

    /// Searches whole lines.
    ///
    /// @return whether nothing more is wanted of this file
    private boolean lines(int end) {
        search.in(block, unsearched, end);
        for (int at = search.next(unsearched); at >= 0; ) {
            count++;
            if (wish.mode() == Mode.FILES) {
                return true;
            }
            int lineEnd = search.lineEnd(at);
            if (wish.mode() == Mode.LINES
                    && found.size() < hits.linesMax()
                    && foundText < hits.textMax()) {
                show(search.lineStart(at), lineEnd, end);
            }
            at = lineEnd < end ? search.next(lineEnd + 1) : -1;
        }
        showOwed(end, end);
        return false;
    }

    private void show(int start, int lineEnd, int end) {
        showOwed(start, end);
        int from = start;
        for (int each = 0; each < wish.before() && from > shown; each++) {
            from = lineBefore(from);
        }
        for (int at = Math.max(from, shown); at < start; ) {
            int to = search.lineEnd(at, end);
            add(at, to, 0);
            at = to + 1;
        }
        add(start, lineEnd, column(start, lineEnd));
        shown = lineEnd + 1;
        owed = wish.after();
    }

    /// Shows lines behind the last that matched.
    private void showOwed(int until, int end) {
        while (owed > 0 && shown < until) {
            int to = search.lineEnd(shown, end);
            add(shown, to, 0);
            shown = to + 1;
            owed--;
        }
    }

    private int lineBefore(int lineStart) {
        int at = lineStart - 1;
        while (at > 0 && block[at - 1] != '\n') {
            at--;
        }
        return Math.max(0, at);
    }

    private void add(int from, int to, int column) {
        while (counted < from) {
            number += block[counted++] == '\n' ? 1 : 0;
        }
        int end = to > from && block[to - 1] == '\r' ? to - 1 : to;
        int length = Math.min(end - from, KEPT_BYTES_MAX);
        var text = new String(block, from, length, StandardCharsets.UTF_8);
        var line = new LineHits.Line(number, column, text, end - from);
        foundText += line.shown();
        found.add(line);
    }

    private int column(int start, int lineEnd) {
        if (lineEnd - start > COLUMN_BYTES_MAX) {
            return 1;
        }
        int at = Math.max(start, search.leftmost(start, lineEnd));
        int column = 1;
        for (int each = start; each < at; each++) {
            column += (block[each] & 0xc0) != 0x80 ? 1 : 0;
        }
        return column;
    }

    /// Makes room, but keeps the lines that may have to be shown before the next.
    private void keep(int to) {
        int from = to;
        for (int each = 0; each < wish.before() && to - from < BLOCK_BYTES / 4; each++) {
            int before = lineBefore(from);
            if (from == 0 || to - before > BLOCK_BYTES / 4) {
                break;
            }
            from = before;
        }
        while (counted < from) {
            number += block[counted++] == '\n' ? 1 : 0;
        }
        System.arraycopy(block, from, block, 0, filled - from);
        filled -= from;
        counted -= from;
        unsearched = to - from;
        shown = Math.max(0, shown - from);
    }

    private void finish() {
        files.closeFile();
        hits.searched(false);
        if (count > 0) {
            hits.add(new LineHits.FileHits(path, count, found));
        }
    }

    @Override
    public void close() {
        files.close();
    }
}
