package dev.caisson.http;

import dev.caisson.call.Network;
import dev.caisson.config.Form;
import dev.caisson.config.Key;
import java.util.List;
import java.util.Set;

/// Access rules of the listener: accepted hosts, origins and proxies.
///
/// The loopback names and the address the listener is bound to are always accepted as `Host`. A
/// listener bound to any other address is reached by names this program cannot know, so the
/// operator lists them here; without them such requests are answered 403.
///
/// @param allowedHosts further accepted `Host` values: a name (any port) or `name:port`
/// @param allowedOrigins further accepted `Origin` values, such as `https://console.example.com`;
///   loopback origins are always accepted
/// @param trustedProxies addresses or networks (`10.0.0.0/8`) whose `X-Forwarded-For` is believed
public record HttpAccess(
        @Key(
                        name = "http.allowed_hosts",
                        doc = "Names clients may use in Host, beside loopback names and http.host.")
                Set<String> allowedHosts,
        @Key(
                        name = "http.allowed_origins",
                        form = Form.ORIGIN,
                        doc = "Origins of web pages that may call, beside pages of this machine.")
                Set<String> allowedOrigins,
        @Key(
                        name = "http.trusted_proxies",
                        form = Form.NETWORK,
                        doc =
                                "Addresses or networks of proxies whose word on the client's address"
                                        + " counts.")
                List<String> trustedProxies) {
    public HttpAccess {
        allowedHosts = Set.copyOf(allowedHosts);
        allowedOrigins = Set.copyOf(allowedOrigins);
        trustedProxies = List.copyOf(trustedProxies);
        trustedProxies.forEach(Network::of);
        allowedOrigins.forEach(HttpAccess::checkOrigin);
    }

    private static void checkOrigin(String origin) {
        if (!origin.contains("://") || origin.endsWith("/")) {
            throw new IllegalArgumentException(
                    "an origin has a scheme and a host and no path, such as"
                            + " https://console.example.com; this is not one: "
                            + origin);
        }
    }
}
