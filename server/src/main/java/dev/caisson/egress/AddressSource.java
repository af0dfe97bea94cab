package dev.caisson.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;

/// Source of the addresses of names, which are not judged yet.
@FunctionalInterface
public interface AddressSource {
    /// The system's own.
    AddressSource SYSTEM = InetAddress::getAllByName;

    /// @param name of a host, or an address as text
    InetAddress[] addresses(String name) throws UnknownHostException;
}
