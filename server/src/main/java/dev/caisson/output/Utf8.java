package dev.caisson.output;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/// UTF-8 decoder for the bytes of a program.
final class Utf8 {
    static final int SEQUENCE_MAX = 4;

    /// @param faithful false when something was not UTF-8 and was replaced
    record Decoded(String text, boolean faithful) {}

    private Utf8() {}

    static Decoded decode(byte[] bytes, int from, int to) {
        try {
            var strict =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .onMalformedInput(CodingErrorAction.REPORT)
                            .onUnmappableCharacter(CodingErrorAction.REPORT);
            CharBuffer text = strict.decode(ByteBuffer.wrap(bytes, from, to - from));
            return new Decoded(text.toString(), true);
        } catch (CharacterCodingException e) {
            return new Decoded(new String(bytes, from, to - from, StandardCharsets.UTF_8), false);
        }
    }

    /// The nearest place at or before `at` where no character is cut in two.
    static int borderBefore(byte[] bytes, int from, int at, int to) {
        var border = at;
        while (border > from
                && border < to
                && at - border < SEQUENCE_MAX - 1
                && isContinuation(bytes[border])) {
            border--;
        }
        return border < to && isContinuation(bytes[border]) ? at : border;
    }

    /// The nearest place at or behind `at` where no character is cut in two.
    static int borderAfter(byte[] bytes, int at, int to) {
        var border = at;
        while (border < to && border - at < SEQUENCE_MAX - 1 && isContinuation(bytes[border])) {
            border++;
        }
        return border < to && isContinuation(bytes[border]) ? at : border;
    }

    private static boolean isContinuation(byte one) {
        return (one & 0xc0) == 0x80;
    }
}
