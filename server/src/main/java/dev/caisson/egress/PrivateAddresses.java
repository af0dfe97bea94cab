package dev.caisson.egress;

import dev.caisson.call.Network;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Addresses that nothing of a caller is sent to: those of this machine, also public ones, private
/// networks, the services of cloud machines, what is reserved, and forms of IPv6 that hide such an
/// address in them.
///
/// @param own the addresses of this machine's interfaces
public record PrivateAddresses(Set<InetAddress> own) {
    private static final List<Network> FOUR =
            networks(
                    "0.0.0.0/8",
                    "10.0.0.0/8",
                    "100.64.0.0/10",
                    "127.0.0.0/8",
                    "169.254.0.0/16",
                    "172.16.0.0/12",
                    "192.0.0.0/24",
                    "192.0.2.0/24",
                    "192.168.0.0/16",
                    "198.18.0.0/15",
                    "198.51.100.0/24",
                    "203.0.113.0/24",
                    "224.0.0.0/3");

    /// All that is given out of IPv6.
    private static final Network GIVEN_OUT = Network.of("2000::/3");

    private static final List<Network> RESERVED = networks("2001::/23", "2001:db8::/32");

    public PrivateAddresses {
        own = Set.copyOf(own);
    }

    /// As this machine is now: an interface may have come since the last time.
    public static PrivateAddresses now() throws SocketException {
        return new PrivateAddresses(
                NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .collect(Collectors.toSet()));
    }

    public boolean is(InetAddress address) {
        return own.contains(address)
                || (address instanceof Inet6Address ? isSix(address) : any(FOUR, address));
    }

    private boolean isSix(InetAddress six) {
        var embedded = EmbeddedAddress.in(six);
        if (EmbeddedAddress.isTranslated(six)) {
            return embedded.filter(this::is).isPresent();
        }
        return !GIVEN_OUT.contains(six)
                || any(RESERVED, six)
                || embedded.filter(this::is).isPresent();
    }

    private static boolean any(List<Network> networks, InetAddress address) {
        return networks.stream().anyMatch(network -> network.contains(address));
    }

    private static List<Network> networks(String... texts) {
        return Stream.of(texts).map(Network::of).toList();
    }
}
