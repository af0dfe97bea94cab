package dev.caisson.json;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.exc.StreamReadException;

/// Check that bytes are UTF-8 and nothing that only looks like it.
final class StrictText {
    private static final int CHUNK = 8 << 10;

    private StrictText() {}

    static void requireUtf8(byte[] bytes) {
        var decoder = StandardCharsets.UTF_8.newDecoder();
        var in = ByteBuffer.wrap(bytes);
        var out = CharBuffer.allocate(CHUNK);
        while (true) {
            var result = decoder.decode(in, out, true);
            if (result.isError()) {
                throw new StreamReadException(null, "the text is not UTF-8");
            }
            if (result.isUnderflow()) {
                return;
            }
            out.clear();
        }
    }
}
