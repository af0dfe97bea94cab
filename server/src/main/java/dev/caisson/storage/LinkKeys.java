package dev.caisson.storage;

import dev.caisson.call.Digests;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The secrets links are signed with. The first signs; all of them are accepted, so that a secret
/// can be exchanged while links are about that were signed with the former one.
///
/// A secret is known by an id that follows from it.
public final class LinkKeys {
    private static final int ID_LENGTH = 8;

    private final Map<String, byte[]> byId = new LinkedHashMap<>();
    private final String current;

    /// @param secrets at least one
    public LinkKeys(List<String> secrets) {
        for (var secret : secrets) {
            var bytes = secret.getBytes(StandardCharsets.UTF_8);
            byId.putIfAbsent(id(bytes), bytes);
        }
        current = id(secrets.getFirst().getBytes(StandardCharsets.UTF_8));
    }

    private static String id(byte[] secret) {
        var text = "key id of " + Digests.sha256Hex(secret);
        return Digests.sha256Hex(text.getBytes(StandardCharsets.UTF_8)).substring(0, ID_LENGTH);
    }

    String current() {
        return current;
    }

    /// @return empty for an id of no secret of ours
    Optional<byte[]> sign(String keyId, byte[] text) {
        return Optional.ofNullable(byId.get(keyId)).map(key -> Digests.hmacSha256(key, text));
    }

    /// With every secret.
    List<byte[]> signAll(byte[] text) {
        var all = new ArrayList<byte[]>();
        byId.values().forEach(key -> all.add(Digests.hmacSha256(key, text)));
        return all;
    }
}
