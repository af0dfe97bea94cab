package dev.caisson.storage;

import dev.caisson.redact.Redactor;

/// What of a stream is part of the answer: all of it, or its beginning and its end.
///
/// @param text redacted
record InlineText(String text, long omittedBytes, boolean faithful) {
    /// @param stream names the stream in the line that stands for what is left out
    static InlineText of(HeadAndTail kept, int inlineBytes, Redactor redactor, String stream) {
        var head = kept.head();
        if (kept.total() <= inlineBytes) {
            var whole = Utf8.decode(head, 0, head.length);
            return new InlineText(redactor.text(whole.text()), 0, whole.faithful());
        }
        var half = inlineBytes / 2;
        var tail = kept.tail();
        var headCut = Utf8.borderBefore(head, 0, half, head.length);
        var tailCut = Utf8.borderAfter(tail, tail.length - half, tail.length);
        var beginning = Utf8.decode(head, 0, headCut);
        var afterwards =
                Utf8.decode(head, headCut, Math.min(head.length, half + OutputLimits.WINDOW));
        var before = Utf8.decode(tail, 0, tailCut);
        var end = Utf8.decode(tail, tailCut, tail.length);
        var omitted = kept.total() - headCut - (tail.length - tailCut);
        var text =
                redactor.piece(beginning.text() + afterwards.text(), 0, beginning.text().length())
                        + mark(stream, headCut, omitted)
                        + redactor.piece(
                                before.text() + end.text(),
                                before.text().length(),
                                before.text().length() + end.text().length());
        return new InlineText(text, omitted, beginning.faithful() && end.faithful());
    }

    private static String mark(String stream, int offset, long omitted) {
        return "\n[... %d bytes of %s omitted; output_read has them from offset %d ...]\n"
                .formatted(omitted, stream, offset);
    }
}
