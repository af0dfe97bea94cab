package dev.caisson.call;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// Digests of what callers send, for records. Two of the same thing are the same on one server;
/// whoever reads a record without the server's secret cannot try guesses at a short secret that is
/// part of it.
public final class KeyedDigest {
    private static final String PREFIX = "hmac-sha256:";

    /// The server's secret has other uses; a key of its own keeps them apart.
    private static final byte[] PURPOSE = "digest of arguments".getBytes(StandardCharsets.US_ASCII);

    private final byte[] key;

    /// @param secret the server's own
    public KeyedDigest(byte[] secret) {
        this.key = Digests.hmacSha256(secret, PURPOSE);
    }

    /// As `hmac-sha256:` and hexadecimal digits. Each caller has a key of its own: who may read
    /// everybody's digests learns nothing from those of calls of its own.
    public String of(String caller, byte[] bytes) {
        var own = Digests.hmacSha256(key, caller.getBytes(StandardCharsets.UTF_8));
        return PREFIX + HexFormat.of().formatHex(Digests.hmacSha256(own, bytes));
    }

    /// Whether a text is such a digest, by its form.
    public static boolean isOne(String digest) {
        return digest.startsWith(PREFIX);
    }
}
