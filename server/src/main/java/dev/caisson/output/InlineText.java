package dev.caisson.output;

import dev.caisson.call.Remedy;
import dev.caisson.redact.Redactor;

/// Part of a stream that stands in the answer: all of it, or its beginning and its end with a line
/// between them that says what is left out.
///
/// The text never takes more than the limit, in bytes of UTF-8 and with that line: also where bytes
/// that are no text, or secrets, are replaced by something longer.
///
/// @param text redacted
record InlineText(String text, long omittedBytes, boolean faithful) {
    /// After so many attempts to make a part fit it is left out; each takes less of it.
    private static final int ATTEMPTS_MAX = 40;

    /// A stretch of a stream that is shown.
    ///
    /// @param border where it ends, or where it starts, in the bytes it is a part of
    private record Part(int border, String text, boolean faithful) {}

    /// A stream and the limit on what is shown of it.
    ///
    /// @param stream names it in the line that stands for what is left out
    /// @param storedBytes that can be read later
    record Source(
            HeadAndTail kept, int limit, Redactor redactor, String stream, long storedBytes) {}

    static InlineText of(Source source) {
        var kept = source.kept();
        var head = kept.head();
        if (kept.total() <= source.limit()) {
            var whole = Utf8.decode(head, 0, head.length);
            var judged = source.redactor().judge(whole.text());
            if (judged.bytes(0, whole.text().length()) <= source.limit()) {
                return new InlineText(judged.piece(0, whole.text().length()), 0, whole.faithful());
            }
        }
        return cut(source, head, kept.tail());
    }

    private static InlineText cut(Source source, byte[] head, byte[] tail) {
        var total = source.kept().total();
        var half = (source.limit() - longestMark(source).length()) / 2;
        var beginning = beginning(head, half, source.redactor());
        var end = end(tail, half, source.redactor());
        var omitted = total - beginning.border() - (tail.length - end.border());
        return new InlineText(
                beginning.text() + mark(source, beginning.border(), omitted) + end.text(),
                omitted,
                beginning.faithful() && end.faithful());
    }

    private static Part beginning(byte[] head, int most, Redactor redactor) {
        var length = Math.min(most, head.length);
        for (var attempt = 0; attempt < ATTEMPTS_MAX && length > 0; attempt++) {
            var cut = Utf8.borderBefore(head, 0, length, head.length);
            var shown = Utf8.decode(head, 0, cut);
            var behind =
                    Utf8.decode(head, cut, Math.min(head.length, cut + OutputLimits.WINDOW)).text();
            var judged = redactor.judge(shown.text() + behind);
            var bytes = judged.bytes(0, shown.text().length());
            if (bytes <= most) {
                return new Part(cut, judged.piece(0, shown.text().length()), shown.faithful());
            }
            length = less(length, most, bytes);
        }
        return new Part(0, "", true);
    }

    private static Part end(byte[] tail, int most, Redactor redactor) {
        var length = Math.min(most, tail.length);
        for (var attempt = 0; attempt < ATTEMPTS_MAX && length > 0; attempt++) {
            var cut = Utf8.borderAfter(tail, tail.length - length, tail.length);
            var before = Utf8.decode(tail, 0, cut).text();
            var shown = Utf8.decode(tail, cut, tail.length);
            var judged = redactor.judge(before + shown.text());
            var to = before.length() + shown.text().length();
            var bytes = judged.bytes(before.length(), to);
            if (bytes <= most) {
                return new Part(cut, judged.piece(before.length(), to), shown.faithful());
            }
            length = less(length, most, bytes);
        }
        return new Part(tail.length, "", true);
    }

    /// In proportion to what is too much, and less in any case.
    private static int less(int length, int most, long bytes) {
        return (int) Math.min(length - 1, (long) length * most / bytes);
    }

    private static String mark(Source source, int offset, long omitted) {
        return mark(source, omitted, where(source, offset, omitted));
    }

    private static String mark(Source source, long omitted, String where) {
        return "\n[... %d bytes of %s omitted; %s ...]\n"
                .formatted(omitted, source.stream(), where);
    }

    /// As long as it can be for this stream, in characters, which are bytes here.
    private static String longestMark(Source source) {
        var total = source.kept().total();
        return mark(source, total, someFrom(total, source.limit()));
    }

    private static String where(Source source, int offset, long omitted) {
        var stored = source.storedBytes() - offset;
        if (stored >= omitted) {
            return Remedy.READ_OUTPUT.word() + " has them from offset " + offset;
        }
        return stored <= 0 ? "they are not kept" : someFrom(stored, offset);
    }

    private static String someFrom(long stored, int offset) {
        return "%s has the first %d of them from offset %d"
                .formatted(Remedy.READ_OUTPUT.word(), stored, offset);
    }
}
