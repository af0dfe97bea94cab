package dev.caisson.search;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/// Lines that were found, of the first files by their paths: which ones is the same however the
/// work was divided. It may be filled by several threads.
public final class LineHits {
    private final int linesMax;
    private final long textMax;
    private final TreeMap<byte[], FileHits> files = new TreeMap<>(Arrays::compareUnsigned);
    private long lines;
    private long text;
    private long totalLines;
    private long totalFiles;
    private long searched;
    private long binary;
    private long tooLarge;
    private boolean cut;

    /// A line.
    ///
    /// @param number counted from 1
    /// @param column of the first match, in characters, counted from 1; 0 for a line that stands
    ///   beside one
    /// @param text more of it than is shown when it is long, so that a secret at the cut is known
    /// @param bytes of the whole line
    public record Line(long number, int column, String text, int bytes) {
        long shown() {
            return Math.min(text.length(), LineScan.SHOWN_MAX);
        }

        public boolean matches() {
            return column > 0;
        }
    }

    /// Lines of a file.
    ///
    /// @param count how many lines match
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    public record FileHits(byte[] path, long count, List<Line> lines) {
        public FileHits {
            lines = List.copyOf(lines);
        }

        private long rows() {
            return Math.max(1, lines.size());
        }

        private long text() {
            return path.length + lines.stream().mapToLong(Line::shown).sum();
        }
    }

    /// @param linesMax how many lines are kept; of a file without lines, how many files
    /// @param textMax how many characters they may have together
    public LineHits(int linesMax, long textMax) {
        this.linesMax = linesMax;
        this.textMax = textMax;
    }

    int linesMax() {
        return linesMax;
    }

    long textMax() {
        return textMax;
    }

    synchronized void searched(boolean isBinary) {
        searched++;
        binary += isBinary ? 1 : 0;
    }

    synchronized void tooLarge() {
        tooLarge++;
    }

    synchronized void add(FileHits file) {
        totalFiles++;
        totalLines += file.count();
        files.put(file.path(), file);
        lines += file.rows();
        text += file.text();
        while (files.size() > 1 && isTooMuch(files.lastEntry().getValue())) {
            var last = files.pollLastEntry().getValue();
            lines -= last.rows();
            text -= last.text();
            cut = true;
        }
    }

    /// Whether there is enough without it.
    private boolean isTooMuch(FileHits last) {
        return lines - last.rows() >= linesMax || text - last.text() >= textMax;
    }

    public synchronized List<FileHits> files() {
        return List.copyOf(files.values());
    }

    public synchronized long totalLines() {
        return totalLines;
    }

    public synchronized long totalFiles() {
        return totalFiles;
    }

    /// How many files were looked into.
    public synchronized long searched() {
        return searched;
    }

    public synchronized long binary() {
        return binary;
    }

    public synchronized long largeFiles() {
        return tooLarge;
    }

    /// Whether files were found that are not kept.
    public synchronized boolean cut() {
        return cut;
    }
}
