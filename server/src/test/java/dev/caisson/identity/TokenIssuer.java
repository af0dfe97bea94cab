package dev.caisson.identity;

import dev.caisson.json.Json;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Issuer of tokens with one key, by the JDK's own signatures.
public final class TokenIssuer {
    private final String id;
    private final String algorithm;
    private final String javaName;
    private final KeyPair pair;

    private TokenIssuer(String id, String algorithm, String javaName, KeyPair pair) {
        this.id = id;
        this.algorithm = algorithm;
        this.javaName = javaName;
        this.pair = pair;
    }

    public static TokenIssuer rs256(String id) throws GeneralSecurityException {
        return rsa(id, 2048);
    }

    static TokenIssuer rsa(String id, int bits) throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(bits);
        return new TokenIssuer(id, "RS256", "SHA256withRSA", generator.generateKeyPair());
    }

    public static TokenIssuer es256(String id) throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return new TokenIssuer(
                id, "ES256", "SHA256withECDSAinP1363Format", generator.generateKeyPair());
    }

    static TokenIssuer eddsa(String id) throws GeneralSecurityException {
        return new TokenIssuer(
                id, "EdDSA", "Ed25519", KeyPairGenerator.getInstance("Ed25519").generateKeyPair());
    }

    /// Its public key (RFC 7517).
    public ObjectNode jwk() {
        var jwk = Json.object().put("kid", id).put("alg", algorithm).put("use", "sig");
        switch (pair.getPublic()) {
            case RSAPublicKey rsa ->
                    jwk.put("kty", "RSA")
                            .put("n", text(rsa.getModulus().toByteArray()))
                            .put("e", text(rsa.getPublicExponent().toByteArray()));
            case ECPublicKey ec ->
                    jwk.put("kty", "EC")
                            .put("crv", "P-256")
                            .put("x", text(coordinate(ec.getW().getAffineX())))
                            .put("y", text(coordinate(ec.getW().getAffineY())));
            default -> {
                var encoded = pair.getPublic().getEncoded();
                jwk.put("kty", "OKP")
                        .put("crv", "Ed25519")
                        .put(
                                "x",
                                text(
                                        Arrays.copyOfRange(
                                                encoded, encoded.length - 32, encoded.length)));
            }
        }
        return jwk;
    }

    /// Sets of keys of these issuers.
    public static ObjectNode set(TokenIssuer... issuers) {
        var set = Json.object();
        var keys = set.putArray("keys");
        for (var one : issuers) {
            keys.add(one.jwk());
        }
        return set;
    }

    private static byte[] coordinate(BigInteger number) {
        var bytes = number.toByteArray();
        var exact = new byte[32];
        int length = Math.min(32, bytes.length);
        System.arraycopy(bytes, bytes.length - length, exact, 32 - length, length);
        return exact;
    }

    ObjectNode header() {
        return Json.object().put("alg", algorithm).put("kid", id).put("typ", "at+jwt");
    }

    public String token(JsonNode claims) throws GeneralSecurityException {
        return token(header(), claims);
    }

    String token(JsonNode header, JsonNode claims) throws GeneralSecurityException {
        var signed = unsigned(header, claims);
        var signature = Signature.getInstance(javaName);
        signature.initSign(pair.getPrivate());
        signature.update(signed.getBytes(StandardCharsets.US_ASCII));
        return signed + "." + text(signature.sign());
    }

    static String unsigned(JsonNode header, JsonNode claims) {
        return text(Json.bytes(header)) + "." + text(Json.bytes(claims));
    }

    static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
