package dev.caisson.tools;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// What an answer says about the call it answers.
///
/// @param toolVersion the product's
/// @param metadata the caller's own, handed back as it came
record Envelope(
        String traceId,
        String toolName,
        String toolVersion,
        String inputDigest,
        Optional<ObjectNode> metadata) {
    /// Each part is preceded by its length, so that no two lists of parts have the same digest.
    static String digest(String... parts) {
        var all = new StringBuilder();
        for (var part : parts) {
            all.append(part.length()).append(':').append(part);
        }
        return digest(all.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static String digest(byte[] bytes) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(bytes);
            return "sha256:" + HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
