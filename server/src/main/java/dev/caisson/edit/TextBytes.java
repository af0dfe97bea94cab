package dev.caisson.edit;

import java.nio.charset.StandardCharsets;

/// Bytes of a file as text of one character per byte: what is not UTF-8 in it stays what it is.
public final class TextBytes {
    private TextBytes() {}

    public static String of(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /// Text of a caller's, which is written as UTF-8.
    public static String ofCaller(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// As people read it.
    public static String shown(String text) {
        return new String(bytes(text), StandardCharsets.UTF_8);
    }
}
