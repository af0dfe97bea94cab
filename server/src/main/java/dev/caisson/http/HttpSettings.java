package dev.caisson.http;

import dev.caisson.config.Defaults;
import dev.caisson.config.Form;
import dev.caisson.config.Key;
import java.net.InetAddress;
import java.net.URI;
import java.util.Optional;

/// Settings of the listener: where and how it listens.
///
/// @param host a literal address or a name; loopback unless the operator says otherwise, in which
///   case [HttpAccess#allowedHosts()] is needed
/// @param port 0 takes any free port
public record HttpSettings(
        @Key(
                        name = "http.host",
                        initial = "127.0.0.1",
                        form = Form.HOST,
                        doc = "The address to listen on.")
                String host,
        @Key(
                        name = "http.port",
                        initial = "8080",
                        min = "0",
                        max = "65535",
                        doc = "The port; 0 takes any free one.")
                int port,
        HttpAccess access,
        HttpTls tls,
        HttpLimits limits,
        @Key(
                        name = "http.public_base_url",
                        alsoFrom = "PUBLIC_BASE_URL",
                        doc = "The URL under which clients reach the server; shown at start.")
                Optional<URI> publicBaseUrl) {
    private static final HttpSettings DEFAULT = Defaults.of(HttpSettings.class);

    public HttpSettings {
        if (host.isBlank()) {
            throw new IllegalArgumentException("host must not be empty");
        }
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("port must be from 0 to 65535, not " + port);
        }
    }

    /// The defaults on another port.
    public static HttpSettings loopback(int port) {
        return new HttpSettings(
                DEFAULT.host,
                port,
                DEFAULT.access,
                DEFAULT.tls,
                DEFAULT.limits,
                DEFAULT.publicBaseUrl);
    }

    /// Whether nobody but this machine is meant to reach the server, also not by a proxy.
    public boolean isLocal() {
        return isLoopback() && access.trustedProxies().isEmpty() && publicBaseUrl.isEmpty();
    }

    /// Whether only this machine can reach the listener.
    public boolean isLoopback() {
        return host.equals("localhost") || InetAddress.ofLiteral(host).isLoopbackAddress();
    }
}
