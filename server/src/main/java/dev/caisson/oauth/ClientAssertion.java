package dev.caisson.oauth;

import dev.caisson.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

/// Assertion by which a client proves who it is with a private key (RFC 7523).
final class ClientAssertion {
    static final String TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

    private static final int SECONDS = 300;
    private static final int EC_BITS = 256;

    private record Algorithm(String word, String javaName, PrivateKey key) {}

    private ClientAssertion() {}

    /// @param audience the issuer it is for
    static String of(String client, String pem, String audience, Instant now) throws OAuthFailure {
        try {
            var algorithm = algorithm(pem);
            var header = Json.object().put("alg", algorithm.word()).put("typ", "JWT");
            var claims =
                    Json.object()
                            .put("iss", client)
                            .put("sub", client)
                            .put("aud", audience)
                            .put("jti", UUID.randomUUID().toString())
                            .put("iat", now.getEpochSecond())
                            .put("exp", now.getEpochSecond() + SECONDS);
            var signed = text(Json.bytes(header)) + "." + text(Json.bytes(claims));
            var signature = Signature.getInstance(algorithm.javaName());
            signature.initSign(algorithm.key());
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + text(signature.sign());
        } catch (GeneralSecurityException | IllegalArgumentException unusable) {
            throw new OAuthFailure(
                    "The private key of the client cannot be used. It must be PKCS #8 in PEM: EC"
                            + " with P-256, RSA, or Ed25519.");
        }
    }

    private static Algorithm algorithm(String pem) throws GeneralSecurityException {
        var spec =
                new PKCS8EncodedKeySpec(
                        Base64.getMimeDecoder()
                                .decode(pem.replaceAll("-----(BEGIN|END) PRIVATE KEY-----", "")));
        for (var kind : List.of("EC", "RSA", "Ed25519")) {
            try {
                return named(KeyFactory.getInstance(kind).generatePrivate(spec));
            } catch (GeneralSecurityException another) {
                // It may be of the next kind.
            }
        }
        throw new GeneralSecurityException("no key of a known kind");
    }

    private static Algorithm named(PrivateKey key) throws GeneralSecurityException {
        return switch (key) {
            case ECPrivateKey ec when ec.getParams().getOrder().bitLength() == EC_BITS ->
                    new Algorithm("ES256", "SHA256withECDSAinP1363Format", key);
            case ECPrivateKey _ -> throw new GeneralSecurityException("another curve");
            default ->
                    key.getAlgorithm().equals("RSA")
                            ? new Algorithm("RS256", "SHA256withRSA", key)
                            : new Algorithm("EdDSA", "Ed25519", key);
        };
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
