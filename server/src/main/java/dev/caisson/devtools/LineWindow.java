package dev.caisson.devtools;

import dev.caisson.call.Digests;
import dev.caisson.edit.Cut;
import dev.caisson.edit.LineEndings;
import dev.caisson.redact.Redactor;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/// Reader of some lines of a file whose bytes come piece by piece: it keeps those lines and what
/// stands around them, counts all of them, and says what the file's hash is.
final class LineWindow extends OutputStream {
    /// How much of a line is shown, in characters.
    static final int LINE_MAX = 2_000;

    /// How many bytes of lines are shown in all.
    static final int BYTES_MAX = 256 << 10;

    /// How much of a line is kept, in bytes.
    private static final int KEPT_MAX = 16 << 10;

    /// How much around the lines is looked at for secrets that are cut by their borders.
    private static final int AROUND = 8 << 10;

    private final long first;
    private final int limit;
    private final MessageDigest digest = Digests.sha256();
    private final byte[] before = new byte[AROUND];
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final ByteArrayOutputStream after = new ByteArrayOutputStream();

    /// Of each line that is kept, where it begins and ends.
    private final List<int[]> places = new ArrayList<>();

    private long offset;
    private long line = 1;
    private long lf;
    private long crlf;
    private long nul = -1;
    private long beforeCount;
    private int begin;
    private int length;
    private boolean full;
    private int previous = -1;

    /// @param first line that is wanted, from 1
    /// @param limit how many
    LineWindow(long first, int limit) {
        this.first = first;
        this.limit = limit;
    }

    @Override
    public void write(int one) {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) {
        digest.update(bytes, from, count);
        for (int at = from; at < from + count; at++) {
            see(bytes[at] & 0xff);
        }
    }

    private void see(int one) {
        if (one == 0 && nul < 0) {
            nul = offset;
        }
        if (line < first) {
            before[(int) (beforeCount++ % AROUND)] = (byte) one;
        } else if (isWanted()) {
            keep(one);
        } else if (after.size() < AROUND) {
            after.write(one);
        }
        if (one == '\n') {
            lf += previous == '\r' ? 0 : 1;
            crlf += previous == '\r' ? 1 : 0;
            line++;
        }
        previous = one;
        offset++;
    }

    private boolean isWanted() {
        return !full && line < first + limit;
    }

    private void keep(int one) {
        if (length < KEPT_MAX || one == '\n') {
            kept.write(one);
        }
        length++;
        if (one == '\n') {
            endLine(kept.size() - 1);
        }
    }

    private void endLine(int end) {
        places.add(new int[] {begin, end, length});
        begin = kept.size();
        length = 0;
        full = kept.size() >= BYTES_MAX;
    }

    /// All bytes have come.
    void end() {
        if (length > 0) {
            endLine(kept.size());
        }
    }

    /// @return -1 when there is none
    long nul() {
        return nul;
    }

    long bytes() {
        return offset;
    }

    MessageDigest digest() {
        return digest;
    }

    long totalLines() {
        return line - 1 + (previous == '\n' || offset == 0 ? 0 : 1);
    }

    LineEndings lineEndings() {
        return LineEndings.of(lf, crlf);
    }

    int count() {
        return places.size();
    }

    /// The lines without their ends, as they may be shown.
    List<String> lines(Redactor redactor) {
        var bytes = kept.toByteArray();
        int around = (int) Math.min(beforeCount, AROUND);
        var head = new byte[around];
        for (int at = 0; at < around; at++) {
            head[at] = before[(int) ((beforeCount - around + at) % AROUND)];
        }
        var all = new StringBuilder(text(head, 0, around));
        var stretches = new ArrayList<int[]>();
        for (var place : places) {
            int from = all.length();
            int end = place[1] > place[0] && bytes[place[1] - 1] == '\r' ? place[1] - 1 : place[1];
            all.append(text(bytes, place[0], end));
            stretches.add(new int[] {from, all.length()});
            all.append(text(bytes, end, Math.min(bytes.length, place[1] + 1)));
        }
        all.append(after.toString(StandardCharsets.UTF_8));
        var judged = redactor.judge(all.toString());
        var lines = new ArrayList<String>();
        for (int each = 0; each < stretches.size(); each++) {
            var stretch = stretches.get(each);
            lines.add(cut(judged.piece(stretch[0], stretch[1]), places.get(each)[2]));
        }
        return lines;
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    private static String cut(String line, int bytes) {
        return Cut.of(line, LINE_MAX, " … (%d bytes in this line)".formatted(bytes));
    }
}
