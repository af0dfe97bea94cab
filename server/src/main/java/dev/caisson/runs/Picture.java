package dev.caisson.runs;

import dev.caisson.call.Content;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/// An image a run made, as it can be shown.
///
/// @param bytes never changed, and never compared
/// @param mimeType by what is in it, not by its name
public record Picture(String mimeType, @SuppressWarnings("ArrayRecordComponent") byte[] bytes) {
    private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10};
    private static final byte[] JPEG = {(byte) 0xff, (byte) 0xd8, (byte) 0xff};

    public static final String SVG = "image/svg+xml";

    /// @return empty when the bytes are not what the name promises
    public static Optional<Picture> of(String promised, byte[] bytes) {
        return recognise(promised, bytes)
                ? Optional.of(new Picture(promised, bytes))
                : Optional.empty();
    }

    private static boolean recognise(String promised, byte[] bytes) {
        return switch (promised) {
            case "image/png" -> startsWith(bytes, PNG);
            case "image/jpeg" -> startsWith(bytes, JPEG);
            case "image/gif" ->
                    startsWith(bytes, ascii("GIF87a")) || startsWith(bytes, ascii("GIF89a"));
            case "image/webp" -> startsWith(bytes, ascii("RIFF")) && hasAt(bytes, 8, ascii("WEBP"));
            case SVG -> text(bytes).contains("<svg");
            default -> false;
        };
    }

    /// An SVG is text: what shows images cannot show it, and a model can read it. It stands in a
    /// fence like all that a program wrote.
    public Content content() {
        return mimeType.equals(SVG)
                ? Content.text(ExecutionText.fenced("svg", text(bytes)))
                : new Content.Image(Base64.getEncoder().encodeToString(bytes), mimeType);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static boolean startsWith(byte[] bytes, byte[] start) {
        return hasAt(bytes, 0, start);
    }

    private static boolean hasAt(byte[] bytes, int from, byte[] part) {
        return bytes.length >= from + part.length
                && Arrays.equals(bytes, from, from + part.length, part, 0, part.length);
    }
}
