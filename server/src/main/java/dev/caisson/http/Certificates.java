package dev.caisson.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// Reads a certificate chain and its key from PEM files.
final class Certificates {
    static final char[] PASSWORD = "in memory only".toCharArray();

    private static final List<String> KEY_KINDS = List.of("RSA", "EC", "EdDSA");
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";

    private Certificates() {}

    /// @throws IllegalArgumentException when a file is missing or is not what it should be; names
    ///   the file
    static KeyStore read(HttpTls tls) {
        try {
            var store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry(
                    "server",
                    key(tls.privateKey().orElseThrow()),
                    PASSWORD,
                    chain(tls.certificates().orElseThrow()));
            return store;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(
                    "cannot use "
                            + tls.certificates().orElseThrow()
                            + " with "
                            + tls.privateKey().orElseThrow()
                            + ": "
                            + e,
                    e);
        }
    }

    private static Certificate[] chain(Path file) throws IOException, GeneralSecurityException {
        try (var in = Files.newInputStream(file)) {
            var chain = CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (chain.isEmpty()) {
                throw new IllegalArgumentException("no certificate in " + file);
            }
            return chain.toArray(Certificate[]::new);
        }
    }

    private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
        var text = Files.readString(file, StandardCharsets.US_ASCII);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException(
                    "no unencrypted PKCS#8 key (\"" + BEGIN + "\") in " + file);
        }
        var encoded = text.substring(begin + BEGIN.length(), end);
        var spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(encoded));
        for (var kind : KEY_KINDS) {
            var key = keyOf(kind, spec);
            if (key.isPresent()) {
                return key.get();
            }
        }
        throw new IllegalArgumentException("the key in " + file + " is none of " + KEY_KINDS);
    }

    private static Optional<PrivateKey> keyOf(String kind, PKCS8EncodedKeySpec spec)
            throws GeneralSecurityException {
        try {
            return Optional.of(KeyFactory.getInstance(kind).generatePrivate(spec));
        } catch (InvalidKeySpecException ofAnotherKind) {
            return Optional.empty();
        }
    }
}
