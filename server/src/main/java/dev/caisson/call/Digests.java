package dev.caisson.call;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// SHA-256 and HMAC-SHA-256, which every Java runtime has.
public final class Digests {
    private static final String HASH = "SHA-256";
    private static final String MAC = "HmacSHA256";

    private Digests() {}

    /// A digest that is fed piece by piece.
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance(HASH);
        } catch (NoSuchAlgorithmException failure) {
            throw new IllegalStateException("every Java runtime has " + HASH, failure);
        }
    }

    public static byte[] sha256(byte[] bytes) {
        return sha256().digest(bytes);
    }

    /// In lower-case hexadecimal digits.
    public static String sha256Hex(byte[] bytes) {
        return HexFormat.of().formatHex(sha256(bytes));
    }

    /// @param parts one after another, with nothing between them
    public static byte[] hmacSha256(byte[] key, byte[]... parts) {
        try {
            var mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
            for (var part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException("every Java runtime has " + MAC, failure);
        }
    }
}
