package dev.caisson.identity;

import dev.caisson.call.Digests;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/// Secret text of a key: `ck_<id>_<random>`, where the random part has 256 bits.
///
/// It is stored as its plain SHA-256. A slow, salted hash protects what can be guessed, such as a
/// password; nobody can go through 2^256 secrets, and a fast hash lets us check each request.
final class Secret {
    private static final int ID_BYTES = 8;
    private static final int RANDOM_BYTES = 32;
    private static final Pattern SHAPE = Pattern.compile("ck_([0-9a-f]{16})_[0-9a-f]{64}");
    private static final SecureRandom RANDOM = new SecureRandom();

    private Secret() {}

    static String fresh() {
        return "ck_" + hex(ID_BYTES) + "_" + hex(RANDOM_BYTES);
    }

    /// The id within a text that has the shape of a key.
    static Optional<String> id(String text) {
        var matcher = SHAPE.matcher(text);
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    static byte[] hash(String text) {
        return Digests.sha256(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String hex(int bytes) {
        var random = new byte[bytes];
        RANDOM.nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
