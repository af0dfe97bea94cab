package dev.caisson.oauth;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Rule for the addresses that metadata names, which are a stranger's word: `https`, or of the
/// upstream's own origin, or of a host that an operator named. Whether an address leads to a
/// private network is judged when it is connected to.
///
/// @param privateHosts that an operator named, in lower case
public record OAuthAddresses(Set<String> privateHosts) {
    /// How long one may be, in characters.
    static final int LENGTH_MAX = 2048;

    public OAuthAddresses {
        privateHosts =
                privateHosts.stream()
                        .map(host -> host.toLowerCase(Locale.ROOT))
                        .collect(Collectors.toUnmodifiableSet());
    }

    /// The address in a text.
    ///
    /// @param what it is the address of, as a sentence begins
    /// @param own of the upstream
    /// @throws OAuthFailure when it is none that may be used
    URI checked(String what, String text, Optional<URI> own) throws OAuthFailure {
        var address = read(what, text);
        if (address.getScheme().equals("https") || isNamed(address) || isSame(own, address)) {
            return address;
        }
        throw new OAuthFailure(
                what
                        + " is not an https address. Name its host in upstreams.private_hosts if it"
                        + " is yours.");
    }

    private static URI read(String what, String text) throws OAuthFailure {
        try {
            var address = URI.create(text);
            var scheme = String.valueOf(address.getScheme());
            if (text.length() <= LENGTH_MAX
                    && (scheme.equals("https") || scheme.equals("http"))
                    && address.getHost() != null
                    && address.getRawUserInfo() == null
                    && address.getRawFragment() == null) {
                return address;
            }
        } catch (IllegalArgumentException none) {
            // Said below.
        }
        throw new OAuthFailure(what + " is not an address of the web.");
    }

    private boolean isNamed(URI address) {
        var host = address.getHost().toLowerCase(Locale.ROOT);
        return privateHosts.contains(host)
                || privateHosts.contains(host.replace("[", "").replace("]", ""));
    }

    private static boolean isSame(Optional<URI> own, URI address) {
        return own.filter(upstream -> origin(upstream).equals(origin(address))).isPresent();
    }

    /// Such as `https://example.org`.
    static String origin(URI address) {
        var scheme = address.getScheme().toLowerCase(Locale.ROOT);
        var host = String.valueOf(address.getHost()).toLowerCase(Locale.ROOT);
        int usual = scheme.equals("https") ? 443 : 80;
        int port = address.getPort();
        return scheme + "://" + host + (port < 0 || port == usual ? "" : ":" + port);
    }
}
