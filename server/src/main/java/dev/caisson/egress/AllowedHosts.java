package dev.caisson.egress;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// Allow list of hosts, each with the ports that may be reached, and their addresses. A name is
/// resolved by the server; every address is judged, and the very addresses that were judged are
/// connected to. What is known of a name counts for a while, also that it has no address.
public final class AllowedHosts {
    /// Begins a pattern that takes every name below another.
    private static final String BELOW = "*.";

    private static final int KNOWN_MAX = 1_000;

    private final Set<Destination> allowed;
    private final Set<String> names;
    private final JudgedLookup lookup;
    private final Terms terms;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /// Terms of a list.
    ///
    /// @param absent what is said of a host that is not on it, such as `is not a registry`
    /// @param keep how long the addresses of a name count
    public record Terms(String absent, Duration keep) {
        /// Of what packages come from: names mean the same until they are fetched.
        public static final Terms REGISTRIES =
                new Terms("is not a registry of this server", Duration.ofHours(1));
    }

    private record Known(List<InetAddress> addresses, long until) {}

    /// @param allowed what may be reached; a host that begins with `*.` stands for all names below
    /// @param privateNames those hosts among them that may have private addresses
    public AllowedHosts(Set<Destination> allowed, Set<String> privateNames, Terms terms) {
        this.allowed = Set.copyOf(allowed);
        this.names =
                allowed.stream().map(Destination::host).collect(Collectors.toUnmodifiableSet());
        this.lookup = new JudgedLookup(privateNames);
        this.terms = terms;
    }

    public Set<String> names() {
        return names;
    }

    /// @throws Refused when host or port is not on the list, or has no address or a private one
    List<InetAddress> addresses(String host, int port) throws Refused, InterruptedException {
        var name = host.toLowerCase(Locale.ROOT);
        var fitting = patterns(name).stream().filter(names::contains).toList();
        if (fitting.isEmpty()) {
            throw new Refused(403, "the host %s %s".formatted(name, terms.absent()));
        }
        if (port < 1
                || fitting.stream()
                        .noneMatch(each -> allowed.contains(new Destination(each, port)))) {
            throw new Refused(
                    403, "port %d of the host %s %s".formatted(port, name, terms.absent()));
        }
        var addresses = known(name);
        if (addresses.isEmpty()) {
            throw new Refused(502, "the host " + name + " has no address that may be reached");
        }
        return addresses;
    }

    /// The name itself, and the patterns that take it.
    private static List<String> patterns(String name) {
        var all = new ArrayList<>(List.of(name));
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
            all.add(BELOW + name.substring(dot + 1));
        }
        return all;
    }

    private List<InetAddress> known(String name) throws InterruptedException {
        var before = known.get(name);
        if (before != null && before.until() - System.nanoTime() > 0) {
            return before.addresses();
        }
        var found = lookup.addresses(name);
        if (known.size() >= KNOWN_MAX) {
            known.clear();
        }
        known.put(name, new Known(found, System.nanoTime() + terms.keep().toNanos()));
        return found;
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
