package dev.caisson.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/// Name of the holder of shares: in whose name a request takes them while no key is known. Names of
/// keys have no space, so these are never one of them.
final class ShareHolder {
    static final String UNKNOWN = "address unknown";

    /// A client with one IPv6 address usually has the whole network that shares its first half.
    private static final int NETWORK_BYTES = 8;

    private ShareHolder() {}

    static String at(InetAddress address) {
        return "address " + network(address).getHostAddress();
    }

    static String at(String address) {
        try {
            return at(InetAddress.ofLiteral(address));
        } catch (IllegalArgumentException notAnAddress) {
            return UNKNOWN;
        }
    }

    /// The users of signed links at an address.
    static String withLinks(String address) {
        return "links " + at(address);
    }

    /// All who use the links that one caller made.
    static String ofLinks(String maker) {
        return "links of " + maker;
    }

    private static InetAddress network(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address;
        }
        var bytes = address.getAddress();
        Arrays.fill(bytes, NETWORK_BYTES, bytes.length, (byte) 0);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
