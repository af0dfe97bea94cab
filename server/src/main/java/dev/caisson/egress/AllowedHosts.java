package dev.caisson.egress;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// Allow list of hosts, each with the ports that may be reached, and their addresses. A name is
/// resolved by the server, once; every address is judged, and the very addresses that were judged
/// are connected to. A name that has no address is refused at once from then on.
public final class AllowedHosts {
    private final Set<Destination> allowed;
    private final Set<String> names;
    private final JudgedLookup lookup;
    private final Map<String, List<InetAddress>> known = new ConcurrentHashMap<>();

    /// @param allowed what may be reached
    /// @param privateNames those hosts among them that may have private addresses
    public AllowedHosts(Set<Destination> allowed, Set<String> privateNames) {
        this.allowed = Set.copyOf(allowed);
        this.names =
                allowed.stream().map(Destination::host).collect(Collectors.toUnmodifiableSet());
        this.lookup = new JudgedLookup(privateNames);
    }

    public Set<String> names() {
        return names;
    }

    /// @throws Refused when host or port is not on the list, or has no address or a private one
    List<InetAddress> addresses(String host, int port) throws Refused, InterruptedException {
        var name = host.toLowerCase(Locale.ROOT);
        if (!names.contains(name)) {
            throw new Refused(403, "the host " + name + " is not a registry of this server");
        }
        if (port < 1 || !allowed.contains(new Destination(name, port))) {
            throw new Refused(
                    403, "port " + port + " of the host " + name + " is not one of a registry");
        }
        if (!known.containsKey(name)) {
            known.put(name, lookup.addresses(name));
        }
        var addresses = known.get(name);
        if (addresses.isEmpty()) {
            throw new Refused(502, "the host " + name + " has no address that may be reached");
        }
        return addresses;
    }

    /// A host that is not to be reached.
    static final class Refused extends IOException {
        private static final long serialVersionUID = 1L;

        private final int status;

        Refused(int status, String why) {
            super(why);
            this.status = status;
        }

        int status() {
            return status;
        }
    }
}
