package dev.caisson.webhooks;

import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Pattern;

/// An IP address that stands where a host name may stand, in its one plain spelling.
///
/// Programs read `0177.0.0.1`, `0x7f.1`, `127.1` or `2130706433` as different addresses, or as
/// names to ask for. Such a host is neither: it is refused before anything is asked or connected.
record HostLiteral(InetAddress address) {
    /// The last label of a name in the DNS is never a number, so a host that ends in one is meant
    /// as an address.
    private static final Pattern ENDS_IN_NUMBER =
            Pattern.compile("(.*\\.)?([0-9]+|0x[0-9a-f]*)\\.*", Pattern.CASE_INSENSITIVE);

    private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final Pattern FOUR_BYTES = Pattern.compile("(" + BYTE + "\\.){3}" + BYTE);

    /// Whether a host is meant as an IPv4 address and is not four decimal numbers without zeros in
    /// front.
    ///
    /// @param host a name, an IPv4 address, or an IPv6 address in brackets
    static boolean isOddlySpelled(String host) {
        var four = isBracketed(host) ? embeddedFour(host) : Optional.of(host);
        return four.filter(text -> ENDS_IN_NUMBER.matcher(text).matches())
                .filter(text -> !FOUR_BYTES.matcher(text).matches())
                .isPresent();
    }

    /// Empty when the host is a name.
    ///
    /// @throws IllegalArgumentException when it is an address that does not exist
    static Optional<HostLiteral> of(String host) {
        if (isBracketed(host)) {
            return Optional.of(literal(host.substring(1, host.length() - 1)));
        }
        return FOUR_BYTES.matcher(host).matches() ? Optional.of(literal(host)) : Optional.empty();
    }

    private static HostLiteral literal(String text) {
        return new HostLiteral(InetAddress.ofLiteral(text));
    }

    private static boolean isBracketed(String host) {
        return host.startsWith("[") && host.endsWith("]");
    }

    /// The end of an IPv6 address that is written as IPv4.
    private static Optional<String> embeddedFour(String host) {
        var end = host.substring(host.lastIndexOf(':') + 1, host.length() - 1);
        return end.contains(".") ? Optional.of(end) : Optional.empty();
    }
}
