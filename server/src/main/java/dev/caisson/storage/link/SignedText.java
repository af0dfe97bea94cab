package dev.caisson.storage.link;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// Parts as one text to sign: each with its length before it, so that no two lists of parts share
/// one.
final class SignedText {
    private SignedText() {}

    static byte[] of(String... parts) {
        var text = new ByteArrayOutputStream();
        for (var part : parts) {
            var bytes = part.getBytes(StandardCharsets.UTF_8);
            text.writeBytes((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
            text.writeBytes(bytes);
        }
        return text.toByteArray();
    }
}
