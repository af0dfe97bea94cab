package dev.caisson.egress;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Set;

/// Addresses of services that answer to the machine they are asked from, such as those that hand
/// out the credentials of a cloud machine. Nothing is ever sent there, whatever was allowed.
final class MachineServices {
    /// Those outside the link-local networks.
    private static final Set<InetAddress> OTHERS =
            Set.of(
                    InetAddress.ofLiteral("fd00:ec2::254"),
                    InetAddress.ofLiteral("fd20:ce::254"),
                    InetAddress.ofLiteral("100.100.100.200"),
                    InetAddress.ofLiteral("168.63.129.16"),
                    InetAddress.ofLiteral("192.0.0.192"));

    private MachineServices() {}

    /// Also in a form of IPv6 that hides one.
    static boolean are(InetAddress address) {
        return address.isLinkLocalAddress()
                || address.isMulticastAddress()
                || OTHERS.contains(address)
                || (address instanceof Inet6Address
                        && EmbeddedAddress.in(address).filter(MachineServices::are).isPresent());
    }
}
