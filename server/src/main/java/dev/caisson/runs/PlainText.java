package dev.caisson.runs;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Detection of plain text among the bytes of a file.
public final class PlainText {
    private PlainText() {}

    /// @return empty when the bytes are not UTF-8, or hold a zero
    public static Optional<String> of(byte[] bytes) {
        try {
            var text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.indexOf('\0') < 0 ? Optional.of(text) : Optional.empty();
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
