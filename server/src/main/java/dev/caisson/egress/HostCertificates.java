package dev.caisson.egress;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// File with the certificates that programs of this machine trust. A sandbox has none of its own.
public final class HostCertificates {
    private static final List<Path> PLACES =
            List.of(
                    Path.of("/etc/ssl/certs/ca-certificates.crt"),
                    Path.of("/etc/pki/tls/certs/ca-bundle.crt"),
                    Path.of("/etc/ssl/cert.pem"));

    private HostCertificates() {}

    public static Optional<Path> file() {
        return PLACES.stream().filter(Files::isReadable).findFirst();
    }
}
