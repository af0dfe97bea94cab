package dev.caisson.http;

import dev.caisson.config.Contradiction;
import dev.caisson.config.Key;
import java.nio.file.Path;
import java.util.Optional;

/// TLS files of the listener: a certificate chain (own certificate first) and its unencrypted
/// PKCS#8 private key, both as PEM. Without them the listener speaks plain HTTP.
public record HttpTls(
        @Key(
                        name = "http.tls_certificate",
                        doc =
                                "A PEM file with the certificate chain; with http.tls_key it turns on"
                                        + " TLS.")
                Optional<Path> certificates,
        @Key(name = "http.tls_key", doc = "A PEM file with the certificate's private key.")
                Optional<Path> privateKey) {
    public HttpTls {
        if (certificates.isPresent() != privateKey.isPresent()) {
            throw new Contradiction(
                    privateKey.isPresent() ? "http.tls_key" : "http.tls_certificate",
                    "stands alone",
                    "Set http.tls_certificate and http.tls_key together, or neither.");
        }
    }

    public HttpTls(Path certificates, Path privateKey) {
        this(Optional.of(certificates), Optional.of(privateKey));
    }

    public boolean isOn() {
        return privateKey.isPresent();
    }
}
