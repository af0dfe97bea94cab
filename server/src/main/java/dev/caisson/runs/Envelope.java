package dev.caisson.runs;

import dev.caisson.call.Digests;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.executions.Provenance;
import dev.caisson.json.Json;
import dev.caisson.redact.Redactor;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Telemetry envelope of an answer: what it says about the call it answers.
///
/// @param toolVersion the product's
/// @param inputDigest the SHA-256 of the program in UTF-8
/// @param argumentsDigest of all arguments as JSON, keyed with a secret of the server
/// @param provenance what the program belongs to
/// @param metadata the caller's own, handed back as it came
public record Envelope(
        String traceId,
        String toolName,
        String toolVersion,
        String inputDigest,
        String argumentsDigest,
        Provenance provenance,
        Optional<ObjectNode> metadata) {
    /// How long metadata may be, as compact JSON in UTF-8.
    public static final int METADATA_BYTES_MAX = 16 << 10;

    /// The same without what was handed over in confidence.
    public Envelope shownBy(Redactor exact) {
        return new Envelope(
                traceId,
                toolName,
                toolVersion,
                inputDigest,
                argumentsDigest,
                provenance.map(exact::text),
                metadata.map(tree -> (ObjectNode) exact.tree(tree)));
    }

    /// @throws Refusal INVALID_ARGUMENT when metadata is too long
    static void requireFits(ObjectNode metadata) {
        var bytes = Json.bytes(metadata).length;
        if (bytes > METADATA_BYTES_MAX) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "metadata takes %s bytes; at most %s fit. Put data into files instead."
                            .formatted(
                                    Quantities.number(bytes),
                                    Quantities.number(METADATA_BYTES_MAX)),
                    Map.of("parameter", "metadata"));
        }
    }

    /// Of a program as it was sent.
    static String ofProgram(String code) {
        return digest(code.getBytes(StandardCharsets.UTF_8));
    }

    /// Each part is preceded by its length, so that no two lists of parts have the same digest.
    static String digest(String... parts) {
        var all = new StringBuilder();
        for (var part : parts) {
            all.append(part.length()).append(':').append(part);
        }
        return digest(all.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static String digest(byte[] bytes) {
        return "sha256:" + Digests.sha256Hex(bytes);
    }
}
