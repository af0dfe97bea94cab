package dev.caisson.storage;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The secrets links are signed with. The first signs; all of them are accepted, so that a secret
/// can be exchanged while links are about that were signed with the former one.
///
/// A secret is known by an id that follows from it.
public final class LinkKeys {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int ID_LENGTH = 8;

    private final Map<String, SecretKeySpec> byId = new LinkedHashMap<>();
    private final String current;

    /// @param secrets at least one
    public LinkKeys(List<String> secrets) {
        for (var secret : secrets) {
            var bytes = secret.getBytes(StandardCharsets.UTF_8);
            byId.putIfAbsent(id(bytes), new SecretKeySpec(bytes, ALGORITHM));
        }
        current = id(secrets.getFirst().getBytes(StandardCharsets.UTF_8));
    }

    private static String id(byte[] secret) {
        var text = "key id of " + Handles.hash(secret);
        return Handles.hash(text.getBytes(StandardCharsets.UTF_8)).substring(0, ID_LENGTH);
    }

    String current() {
        return current;
    }

    /// @return empty for an id of no secret of ours
    Optional<byte[]> sign(String keyId, byte[] text) {
        return Optional.ofNullable(byId.get(keyId)).map(key -> sign(key, text));
    }

    /// With every secret.
    List<byte[]> signAll(byte[] text) {
        var all = new ArrayList<byte[]>();
        byId.values().forEach(key -> all.add(sign(key, text)));
        return all;
    }

    private static byte[] sign(SecretKeySpec key, byte[] text) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
