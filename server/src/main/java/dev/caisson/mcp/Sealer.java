package dev.caisson.mcp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Lets something travel through a client without being changed there or used by another: the
/// payload, and after a dot an HMAC-SHA-256 over the purpose, what it is bound to, and the payload.
///
/// It is not secret. Each part of the HMAC's input is preceded by its length, so no two inputs read
/// alike.
final class Sealer {
    private static final String ALGORITHM = "HmacSHA256";
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private final SecretKeySpec key;
    private final String purpose;

    Sealer(byte[] secret, String purpose) {
        this.key = new SecretKeySpec(secret.clone(), ALGORITHM);
        this.purpose = purpose;
    }

    String seal(byte[] payload, String... bound) {
        return ENCODER.encodeToString(payload) + "." + ENCODER.encodeToString(mac(payload, bound));
    }

    /// The payload, if it was sealed here for the same purpose and bound to the same.
    Optional<byte[]> open(String sealed, String... bound) {
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
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            add(mac, purpose.getBytes(StandardCharsets.UTF_8));
            for (var one : bound) {
                add(mac, one.getBytes(StandardCharsets.UTF_8));
            }
            add(mac, payload);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    private static void add(Mac mac, byte[] part) {
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
        mac.update(part);
    }
}
