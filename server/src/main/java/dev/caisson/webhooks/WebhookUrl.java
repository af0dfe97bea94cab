package dev.caisson.webhooks;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.egress.PrivateAddresses;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// An address that results are sent to.
record WebhookUrl(URI uri) {
    static final int LENGTH_MAX = 2048;

    private static final int PORT_MAX = 65_535;

    /// @throws Refusal INVALID_ARGUMENT when it is not one
    static WebhookUrl of(String text) {
        if (text.length() > LENGTH_MAX) {
            throw refused("has more than " + LENGTH_MAX + " characters.");
        }
        try {
            return new WebhookUrl(new URI(text));
        } catch (URISyntaxException e) {
            throw refused("is not an address.");
        }
    }

    WebhookUrl {
        var scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        if (HostLiteral.isOddlySpelled(hostAsWritten(uri))) {
            throw refused(
                    "has an IPv4 address in a spelling that programs read differently. Write four"
                            + " decimal numbers from 0 to 255, without zeros in front and without a"
                            + " dot at the end.");
        }
        if (!Set.of("http", "https").contains(scheme) || uri.getHost() == null) {
            throw refused("must be an http or https address.");
        }
        if (uri.getHost().endsWith(".") || uri.getHost().contains("%")) {
            throw refused("may have neither a dot at the end of its host nor a network zone.");
        }
        if (uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
            throw refused("may have neither a user nor a fragment.");
        }
        if (uri.getPort() == 0 || uri.getPort() > PORT_MAX) {
            throw refused("has a port that does not exist.");
        }
    }

    /// The host, also where it is none that an address may have.
    private static String hostAsWritten(URI uri) {
        if (uri.getHost() != null) {
            return uri.getHost();
        }
        var authority = String.valueOf(uri.getRawAuthority());
        var behindUser = authority.substring(authority.lastIndexOf('@') + 1);
        return behindUser.replaceFirst(":[0-9]*$", "");
    }

    boolean tls() {
        return uri.getScheme().equalsIgnoreCase("https");
    }

    String host() {
        return uri.getHost().toLowerCase(Locale.ROOT);
    }

    int port() {
        return uri.getPort() > 0 ? uri.getPort() : tls() ? 443 : 80;
    }

    /// As the header `Host` has it.
    String authority() {
        return uri.getPort() > 0 ? host() + ":" + uri.getPort() : host();
    }

    /// As the request line has it.
    String path() {
        var path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        return uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
    }

    /// Where to connect. Whoever connects uses this address and does not ask again: a name may have
    /// another one a moment later.
    ///
    /// @param caller who wants to know
    /// @param privateHosts names that may have private addresses
    /// @throws Refusal INVALID_ARGUMENT when there is none, or one of them is inside
    InetAddress address(Resolver resolver, String caller, Set<String> privateHosts)
            throws InterruptedException {
        try {
            var literal = HostLiteral.of(host());
            var all =
                    literal.isPresent()
                            ? new InetAddress[] {literal.get().address()}
                            : resolver.addresses(caller, host());
            if (!privateHosts.contains(host())
                    && Arrays.stream(all).anyMatch(PrivateAddresses.now()::is)) {
                throw refused(
                        "leads to a private address or to this machine, where results are not"
                                + " sent.");
            }
            return all[0];
        } catch (UnknownHostException e) {
            throw refused("names a host whose address is not known.");
        } catch (SocketException e) {
            throw refused("cannot be compared with the addresses of this machine.");
        } catch (IllegalArgumentException e) {
            throw refused("has an IPv6 address that does not exist.");
        }
    }

    private static Refusal refused(String why) {
        return new Refusal(
                Reason.INVALID_ARGUMENT, "webhook_url " + why, Map.of("parameter", "webhook_url"));
    }
}
