package dev.caisson.tools;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Tells text from everything else.
final class PlainText {
    private PlainText() {}

    /// @return empty when the bytes are not UTF-8, or hold a zero
    static Optional<String> of(byte[] bytes) {
        try {
            var text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.indexOf('\0') < 0 ? Optional.of(text) : Optional.empty();
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
