package dev.caisson.identity;

import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Public key that an issuer signs tokens with, from its JSON form (RFC 7517). Its type decides the
/// one algorithm it is used with, and no token chooses another.
///
/// @param id empty when the issuer gave none
record SigningKey(Optional<String> id, Algorithm algorithm, PublicKey key) {
    /// Algorithms that are taken. There is no secret shared with an issuer, and no token without a
    /// signature.
    enum Algorithm {
        RS256("SHA256withRSA"),
        ES256("SHA256withECDSAinP1363Format"),
        EDDSA("Ed25519");

        private final String javaName;

        Algorithm(String javaName) {
            this.javaName = javaName;
        }

        /// As tokens name it.
        static Optional<Algorithm> of(String word) {
            return switch (word) {
                case "RS256" -> Optional.of(RS256);
                case "ES256" -> Optional.of(ES256);
                case "EdDSA" -> Optional.of(EDDSA);
                default -> Optional.empty();
            };
        }
    }

    private static final int RSA_BITS_MIN = 2048;
    private static final int RSA_BITS_MAX = 8192;
    private static final int COORDINATE_BYTES = 32;
    private static final String EC_NAME = "EC";
    private static final String ED_NAME = "Ed25519";

    /// What stands before the 32 bytes of a key of Ed25519 in the form that the JDK reads.
    private static final byte[] ED_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    /// Empty when it is not one that is taken here.
    static Optional<SigningKey> read(JsonNode jwk) {
        try {
            if (!jwk.path("use").asString("sig").equals("sig")) {
                return Optional.empty();
            }
            return key(jwk).filter(found -> agrees(jwk, found));
        } catch (GeneralSecurityException | RuntimeException unreadable) {
            return Optional.empty();
        }
    }

    private static Optional<SigningKey> key(JsonNode jwk) throws GeneralSecurityException {
        var id = Optional.ofNullable(jwk.path("kid").stringValue(null));
        return switch (jwk.path("kty").asString("")) {
            case "RSA" -> Optional.of(new SigningKey(id, Algorithm.RS256, rsa(jwk)));
            case EC_NAME -> Optional.of(new SigningKey(id, Algorithm.ES256, ec(jwk)));
            case "OKP" -> Optional.of(new SigningKey(id, Algorithm.EDDSA, ed(jwk)));
            default -> Optional.empty();
        };
    }

    /// A key may say which algorithm it is for.
    private static boolean agrees(JsonNode jwk, SigningKey found) {
        var said = jwk.path("alg");
        return said.isMissingNode()
                || Algorithm.of(said.asString("")).filter(found.algorithm()::equals).isPresent();
    }

    private static PublicKey rsa(JsonNode jwk) throws GeneralSecurityException {
        var modulus = new BigInteger(1, bytes(jwk, "n"));
        if (modulus.bitLength() < RSA_BITS_MIN || modulus.bitLength() > RSA_BITS_MAX) {
            throw new GeneralSecurityException("an RSA key of another size");
        }
        return KeyFactory.getInstance("RSA")
                .generatePublic(new RSAPublicKeySpec(modulus, new BigInteger(1, bytes(jwk, "e"))));
    }

    private static PublicKey ec(JsonNode jwk) throws GeneralSecurityException {
        if (!jwk.path("crv").asString("").equals("P-256")) {
            throw new GeneralSecurityException("another curve");
        }
        var parameters = AlgorithmParameters.getInstance(EC_NAME);
        parameters.init(new ECGenParameterSpec("secp256r1"));
        return KeyFactory.getInstance(EC_NAME)
                .generatePublic(
                        new ECPublicKeySpec(
                                new ECPoint(
                                        new BigInteger(1, exactly(jwk, "x")),
                                        new BigInteger(1, exactly(jwk, "y"))),
                                parameters.getParameterSpec(ECParameterSpec.class)));
    }

    private static PublicKey ed(JsonNode jwk) throws GeneralSecurityException {
        if (!jwk.path("crv").asString("").equals(ED_NAME)) {
            throw new GeneralSecurityException("another curve");
        }
        var encoded = Arrays.copyOf(ED_PREFIX, ED_PREFIX.length + COORDINATE_BYTES);
        System.arraycopy(exactly(jwk, "x"), 0, encoded, ED_PREFIX.length, COORDINATE_BYTES);
        return KeyFactory.getInstance(ED_NAME).generatePublic(new X509EncodedKeySpec(encoded));
    }

    private static byte[] exactly(JsonNode jwk, String member) throws GeneralSecurityException {
        var bytes = bytes(jwk, member);
        if (bytes.length != COORDINATE_BYTES) {
            throw new GeneralSecurityException("a coordinate of another length");
        }
        return bytes;
    }

    private static byte[] bytes(JsonNode jwk, String member) {
        return Base64.getUrlDecoder().decode(jwk.path(member).asString(""));
    }

    /// Whether it signed the token.
    boolean signed(SignedToken token) {
        try {
            var check = Signature.getInstance(algorithm.javaName);
            check.initVerify(key);
            check.update(token.signed());
            return check.verify(token.signature());
        } catch (GeneralSecurityException none) {
            return false;
        }
    }
}
