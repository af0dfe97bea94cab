package dev.caisson.http;

import java.util.List;
import java.util.Set;

/// From where the listener may be reached.
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
        Set<String> allowedHosts, Set<String> allowedOrigins, List<String> trustedProxies) {
    static final HttpAccess LOOPBACK = new HttpAccess(Set.of(), Set.of(), List.of());

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
