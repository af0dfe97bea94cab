package dev.caisson.storage.tree;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// Encoding of file names as text, and back. A name of a file is bytes; its text is the same in
/// UTF-8, but for
///
/// - bytes that are not UTF-8 and control characters, which are written as `%` and two hexadecimal
///   digits each, such as `%FF` or `%0A`;
/// - a percent sign that stands before two hexadecimal digits, which is written as `%25`.
///
/// So every name has one text, every text means one name, and an ordinary name is its own text.
public final class PathText {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private PathText() {}

    public static String of(byte[] name) {
        return isOrdinary(name) ? new String(name, StandardCharsets.US_ASCII) : escaped(name);
    }

    private static boolean isOrdinary(byte[] name) {
        for (var one : name) {
            if (one < ' ' || one == '%' || one == 0x7f) {
                return false;
            }
        }
        return true;
    }

    private static String escaped(byte[] name) {
        var text = new StringBuilder(name.length + 16);
        var decoder =
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT);
        var bytes = ByteBuffer.wrap(name);
        var characters = CharBuffer.allocate(name.length);
        while (bytes.hasRemaining()) {
            var result = decoder.reset().decode(bytes, characters, true);
            append(text, characters.flip());
            characters.clear();
            for (var bad = 0; result.isError() && bad < result.length(); bad++) {
                escape(text, bytes.get());
            }
        }
        return percentSafe(text);
    }

    private static void append(StringBuilder text, CharBuffer characters) {
        while (characters.hasRemaining()) {
            var character = characters.get();
            if (Character.isISOControl(character)) {
                for (var one : String.valueOf(character).getBytes(StandardCharsets.UTF_8)) {
                    escape(text, one);
                }
            } else if (character == '%') {
                text.append(LITERAL_PERCENT);
            } else {
                text.append(character);
            }
        }
    }

    /// Stands for a percent sign of the name itself until all the rest is known; no name has it,
    /// for control characters are escaped.
    private static final char LITERAL_PERCENT = '\u0001';

    private static String percentSafe(StringBuilder text) {
        var safe = new StringBuilder(text.length() + 8);
        for (var at = 0; at < text.length(); at++) {
            var character = text.charAt(at);
            if (character != LITERAL_PERCENT) {
                safe.append(character);
            } else {
                safe.append(isHexAt(text, at + 1) ? "%25" : "%");
            }
        }
        return safe.toString();
    }

    private static void escape(StringBuilder text, byte one) {
        text.append('%').append(HEX.toHexDigits(one));
    }

    /// The name a text means.
    public static byte[] bytes(String text) {
        if (text.indexOf('%') < 0) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        var bytes = new ByteArrayOutputStream(text.length());
        var from = 0;
        for (var at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1)) {
            if (at >= from && isHexAt(text, at + 1)) {
                bytes.writeBytes(text.substring(from, at).getBytes(StandardCharsets.UTF_8));
                bytes.write(HexFormat.fromHexDigits(text, at + 1, at + 3));
                from = at + 3;
            }
        }
        bytes.writeBytes(text.substring(from).getBytes(StandardCharsets.UTF_8));
        return bytes.toByteArray();
    }

    private static boolean isHexAt(CharSequence text, int at) {
        return at + 1 < text.length()
                && HexFormat.isHexDigit(text.charAt(at))
                && HexFormat.isHexDigit(text.charAt(at + 1));
    }
}
