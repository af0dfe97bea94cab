package dev.caisson.mcp.server;

import dev.caisson.call.Digests;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// Lets something travel through a client without being changed there or used by another: the
/// payload, and after a dot an HMAC-SHA-256 over the purpose, what it is bound to, and the payload.
///
/// It is not secret. Each part of the HMAC's input is preceded by its length, so no two inputs read
/// alike.
public final class Sealer {
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private final byte[] key;
    private final String purpose;

    public Sealer(byte[] secret, String purpose) {
        this.key = secret.clone();
        this.purpose = purpose;
    }

    public String seal(byte[] payload, String... bound) {
        return ENCODER.encodeToString(payload) + "." + ENCODER.encodeToString(mac(payload, bound));
    }

    /// The payload, if it was sealed here for the same purpose and bound to the same.
    public Optional<byte[]> open(String sealed, String... bound) {
        int dot = sealed.indexOf('.');
        if (dot < 0) {
            return Optional.empty();
        }
        try {
            var payload = DECODER.decode(sealed.substring(0, dot));
            var mac = DECODER.decode(sealed.substring(dot + 1));
            return MessageDigest.isEqual(mac, mac(payload, bound))
                    ? Optional.of(payload)
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private byte[] mac(byte[] payload, String... bound) {
        var parts = new ArrayList<byte[]>();
        add(parts, purpose.getBytes(StandardCharsets.UTF_8));
        for (var one : bound) {
            add(parts, one.getBytes(StandardCharsets.UTF_8));
        }
        add(parts, payload);
        return Digests.hmacSha256(key, parts.toArray(byte[][]::new));
    }

    private static void add(List<byte[]> parts, byte[] part) {
        parts.add(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
        parts.add(part);
    }
}
