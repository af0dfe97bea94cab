package dev.caisson.identity;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;

/// Key of the vault: seals values with AES-256-GCM and opens them again.
///
/// Key and id are HKDF-SHA-256 of one secret, with a purpose each. Every seal has a fresh nonce of
/// 96 bits. The associated data are the name of the value, a line end and the id of the key, so a
/// sealed value that was moved to another name does not open. Nonce and sealed value, which ends
/// with a tag of 128 bits, are Base64.
public final class VaultKey {
    private static final String KEY_PURPOSE = "caisson vault key";
    private static final String ID_PURPOSE = "caisson vault key id";
    private static final int KEY_BYTES = 32;
    private static final int ID_BYTES = 8;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecretKey key;
    private final String id;
    private final SecureRandom random = new SecureRandom();

    private VaultKey(SecretKey key, String id) {
        this.key = key;
        this.id = id;
    }

    /// @param secret of at least 256 bits of chance, for nothing makes a guess slower
    public static VaultKey of(byte[] secret) {
        try {
            var derivation = KDF.getInstance("HKDF-SHA256");
            return new VaultKey(
                    derivation.deriveKey("AES", purpose(secret, KEY_PURPOSE, KEY_BYTES)),
                    HexFormat.of()
                            .formatHex(
                                    derivation.deriveData(purpose(secret, ID_PURPOSE, ID_BYTES))));
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException("the JDK has no HKDF with SHA-256", failure);
        }
    }

    private static HKDFParameterSpec purpose(byte[] secret, String purpose, int bytes) {
        return HKDFParameterSpec.ofExtract()
                .addIKM(secret)
                .thenExpand(purpose.getBytes(StandardCharsets.US_ASCII), bytes);
    }

    /// What a sealed value names its key by; nobody learns the key from it.
    String id() {
        return id;
    }

    /// A value as it is kept.
    public record Sealed(String keyId, String nonce, String value) {}

    Sealed seal(String name, byte[] value) {
        var nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            var sealed = cipher(Cipher.ENCRYPT_MODE, name, nonce).doFinal(value);
            var base64 = Base64.getEncoder();
            return new Sealed(id, base64.encodeToString(nonce), base64.encodeToString(sealed));
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException("AES-256-GCM cannot be used", failure);
        }
    }

    /// @return empty when it is not as it was sealed with this key under this name
    Optional<byte[]> open(String name, Sealed sealed) {
        try {
            var base64 = Base64.getDecoder();
            var nonce = base64.decode(sealed.nonce());
            if (nonce.length != NONCE_BYTES) {
                return Optional.empty();
            }
            return Optional.of(
                    cipher(Cipher.DECRYPT_MODE, name, nonce)
                            .doFinal(base64.decode(sealed.value())));
        } catch (AEADBadTagException | IllegalArgumentException _) {
            return Optional.empty();
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException("AES-256-GCM cannot be used", failure);
        }
    }

    private Cipher cipher(int mode, String name, byte[] nonce) throws GeneralSecurityException {
        var cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD((name + "\n" + id).getBytes(StandardCharsets.US_ASCII));
        return cipher;
    }

    /// Without the key.
    @Override
    public String toString() {
        return "VaultKey[" + id + "]";
    }
}
