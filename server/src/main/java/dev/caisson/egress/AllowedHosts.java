package dev.caisson.egress;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/// Allow list of hosts, each with the ports that may be reached, and their addresses. A name is
/// resolved by the server, once; every address is judged, and the very addresses that were judged
/// are connected to. A name that has no address is refused at once from then on.
public final class AllowedHosts {
    /// How long the system may take to find the addresses of a name.
    static final Duration RESOLVE_MAX = Duration.ofSeconds(5);

    private final Set<Destination> allowed;
    private final Set<String> names;
    private final Set<String> privateNames;
    private final Map<String, List<InetAddress>> known = new ConcurrentHashMap<>();

    /// @param allowed what may be reached
    /// @param privateNames those hosts among them that may have private addresses
    public AllowedHosts(Set<Destination> allowed, Set<String> privateNames) {
        this.allowed = Set.copyOf(allowed);
        this.names =
                allowed.stream().map(Destination::host).collect(Collectors.toUnmodifiableSet());
        this.privateNames = lower(privateNames);
    }

    private static Set<String> lower(Set<String> names) {
        return names.stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
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
            known.put(name, resolve(name));
        }
        var addresses = known.get(name);
        if (addresses.isEmpty()) {
            throw new Refused(502, "the host " + name + " has no address that may be reached");
        }
        return addresses;
    }

    private List<InetAddress> resolve(String name) throws InterruptedException {
        var answer = new CompletableFuture<InetAddress[]>();
        Thread.ofPlatform()
                .daemon()
                .name("registry-name")
                .start(() -> {
                    try {
                        answer.complete(InetAddress.getAllByName(name));
                    } catch (UnknownHostException | RuntimeException none) {
                        answer.complete(new InetAddress[0]);
                    }
                });
        try {
            var found = answer.get(RESOLVE_MAX.toMillis(), TimeUnit.MILLISECONDS);
            return Arrays.stream(found).filter(address -> mayReach(name, address)).toList();
        } catch (TimeoutException | ExecutionException late) {
            return List.of();
        }
    }

    /// The services of cloud machines are never reached.
    private boolean mayReach(String name, InetAddress address) {
        if (address.isLinkLocalAddress() || address.isMulticastAddress()) {
            return false;
        }
        try {
            return privateNames.contains(name) || !PrivateAddresses.now().is(address);
        } catch (SocketException unknown) {
            return false;
        }
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
