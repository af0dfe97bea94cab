package dev.caisson.http;

import java.util.Optional;

/// Where and how to listen.
///
/// @param host a literal address or a name; loopback unless the operator says otherwise, in which
///   case [HttpAccess#allowedHosts()] is needed
/// @param port 0 takes any free port
/// @param resourceMetadata the address named in `WWW-Authenticate` when a key is missing, for
///   clients that can find an authorization server by it
public record HttpSettings(
        String host,
        int port,
        HttpLimits limits,
        HttpAccess access,
        Optional<HttpTls> tls,
        Optional<String> resourceMetadata) {
    public HttpSettings {
        if (host.isBlank()) {
            throw new IllegalArgumentException("host must not be empty");
        }
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("port must be from 0 to 65535, not " + port);
        }
    }

    public static HttpSettings loopback(int port) {
        return new HttpSettings(
                "127.0.0.1",
                port,
                HttpLimits.DEFAULT,
                HttpAccess.LOOPBACK,
                Optional.empty(),
                Optional.empty());
    }

    public HttpSettings with(HttpLimits changed) {
        return new HttpSettings(host, port, changed, access, tls, resourceMetadata);
    }

    public HttpSettings with(HttpAccess changed) {
        return new HttpSettings(host, port, limits, changed, tls, resourceMetadata);
    }

    public HttpSettings with(HttpTls changed) {
        return new HttpSettings(host, port, limits, access, Optional.of(changed), resourceMetadata);
    }

    HttpSettings withResourceMetadata(String address) {
        return new HttpSettings(host, port, limits, access, tls, Optional.of(address));
    }
}
