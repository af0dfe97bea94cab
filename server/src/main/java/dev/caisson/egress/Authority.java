package dev.caisson.egress;

import dev.caisson.call.NetworkRule;
import java.util.regex.Pattern;

/// Host and port as a request names them.
///
/// @param host as it is compared, see [NetworkRule#plain]
record Authority(String host, int port) {
    private static final int PORT_MAX = 65_535;
    private static final Pattern FORM = Pattern.compile("(\\[[^\\]\\[]*\\]|[^:]+)(?::(\\d{1,5}))?");

    /// @param text without anything else, so no name of a user
    /// @param usualPort where it names none; 0 when it must
    static Authority of(String text, int usualPort) throws ProxyRefusal {
        if (text.indexOf('@') >= 0) {
            throw ProxyRefusal.malformed("an address has no name and no password before its host");
        }
        var parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw ProxyRefusal.malformed("not a host and a port");
        }
        var host = NetworkRule.plain(parts.group(1));
        if (!NetworkRule.isName(host) && !NetworkRule.isAddress(host)) {
            throw ProxyRefusal.malformed("not the name or the usual form of an address of a host");
        }
        int port = parts.group(2) == null ? usualPort : Integer.parseInt(parts.group(2));
        if (port < 1 || port > PORT_MAX) {
            throw ProxyRefusal.malformed("not a port");
        }
        return new Authority(host, port);
    }

    boolean isAddress() {
        return NetworkRule.isAddress(host);
    }

    /// As a request names it.
    String text(int usualPort) {
        var name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return port == usualPort ? name : name + ":" + port;
    }
}
