package dev.caisson.http;

import java.net.InetAddress;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Check against DNS rebinding: decides by `Host` and `Origin` whether a request may come in, so
/// that a page in somebody's browser cannot reach a server that listens on their own machine,
/// neither directly nor by a name that was made to point there.
final class HostCheck {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final Set<String> hosts = new HashSet<>(LOOPBACK);
    private final Set<String> origins = new HashSet<>();

    HostCheck(String boundHost, HttpAccess access) {
        if (!isWildcard(boundHost)) {
            hosts.add(bracketed(boundHost.toLowerCase(Locale.ROOT)));
        }
        access.allowedHosts().forEach(host -> hosts.add(host.toLowerCase(Locale.ROOT)));
        access.allowedOrigins().forEach(origin -> origins.add(origin.toLowerCase(Locale.ROOT)));
    }

    /// What is wrong with the request; empty when it may come in.
    ///
    /// @param port where the listener listens; a name without a port of its own in the list is
    ///   accepted with this port, and without one (a proxy's usual form)
    Optional<String> complaint(Optional<String> host, Optional<String> origin, int port) {
        if (host.isEmpty() || !acceptsHost(host.get().toLowerCase(Locale.ROOT), port)) {
            return Optional.of(
                    "This Host is not served here; the operator can add it to the allowed hosts.");
        }
        if (origin.isPresent()
                && !acceptsOrigin(
                        origin.get().toLowerCase(Locale.ROOT),
                        host.get().toLowerCase(Locale.ROOT))) {
            return Optional.of(
                    "This Origin is not accepted here; the operator can add it to the allowed"
                            + " origins.");
        }
        return Optional.empty();
    }

    private boolean acceptsHost(String host, int port) {
        if (hosts.contains(host)) {
            return true;
        }
        int colon = portColon(host);
        return colon >= 0
                && host.substring(colon + 1).equals(Integer.toString(port))
                && hosts.contains(host.substring(0, colon));
    }

    /// @param host the one asked for, which is ours: a page of it is our own
    private boolean acceptsOrigin(String origin, String host) {
        if (origins.contains(origin)) {
            return true;
        }
        int scheme = origin.indexOf("://");
        if (scheme < 0 || !Set.of("http", "https").contains(origin.substring(0, scheme))) {
            return false;
        }
        var authority = origin.substring(scheme + 3);
        if (authority.equals(host)) {
            return true;
        }
        int colon = portColon(authority);
        return LOOPBACK.contains(colon < 0 ? authority : authority.substring(0, colon))
                && (colon < 0 || isPort(authority.substring(colon + 1)));
    }

    private static int portColon(String authority) {
        int colon = authority.lastIndexOf(':');
        return colon > authority.lastIndexOf(']') ? colon : -1;
    }

    private static boolean isPort(String text) {
        return !text.isEmpty() && text.length() <= 5 && text.chars().allMatch(Character::isDigit);
    }

    private static boolean isWildcard(String host) {
        try {
            return InetAddress.ofLiteral(host).isAnyLocalAddress();
        } catch (IllegalArgumentException nameAndNotAnAddress) {
            return false;
        }
    }

    private static String bracketed(String host) {
        return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
    }
}
