package dev.caisson.egress;

import java.net.InetAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/// Lookup of the addresses of a name, each of which is judged: one that nothing may be sent to is
/// not among them. Whoever asks connects to what it got, and asks for no name again.
///
/// @param privateNames hosts, in lower case, that may have private addresses; the services of cloud
///   machines are not reached by these either
record JudgedLookup(Set<String> privateNames) {
    /// How long the system may take to find the addresses of a name.
    static final Duration RESOLVE_MAX = Duration.ofSeconds(5);

    /// Services of cloud machines outside the link-local networks.
    private static final Set<InetAddress> MACHINE_SERVICES =
            Set.of(
                    InetAddress.ofLiteral("fd00:ec2::254"),
                    InetAddress.ofLiteral("100.100.100.200"),
                    InetAddress.ofLiteral("192.0.0.192"));

    JudgedLookup {
        privateNames =
                privateNames.stream()
                        .map(JudgedLookup::plain)
                        .collect(Collectors.toUnmodifiableSet());
    }

    /// A name as it is compared: in lower case, an address without its brackets.
    static String plain(String name) {
        var lower = name.toLowerCase(Locale.ROOT);
        return lower.startsWith("[") && lower.endsWith("]")
                ? lower.substring(1, lower.length() - 1)
                : lower;
    }

    /// The addresses that may be reached; empty when there is none, or no answer in time.
    List<InetAddress> addresses(String host) throws InterruptedException {
        var name = plain(host);
        var answer = new CompletableFuture<InetAddress[]>();
        // The system's own way to ask cannot be interrupted.
        Thread.ofPlatform().daemon().name("name-lookup").start(() -> ask(name, answer));
        try {
            var found = answer.get(RESOLVE_MAX.toMillis(), TimeUnit.MILLISECONDS);
            return Arrays.stream(found).filter(address -> mayReach(name, address)).toList();
        } catch (TimeoutException | ExecutionException late) {
            return List.of();
        }
    }

    private static void ask(String name, CompletableFuture<InetAddress[]> answer) {
        try {
            answer.complete(InetAddress.getAllByName(name));
        } catch (UnknownHostException | RuntimeException none) {
            answer.complete(new InetAddress[0]);
        }
    }

    /// The services of cloud machines are never reached.
    private boolean mayReach(String name, InetAddress address) {
        if (address.isLinkLocalAddress()
                || address.isMulticastAddress()
                || MACHINE_SERVICES.contains(address)) {
            return false;
        }
        try {
            return privateNames.contains(name) || !PrivateAddresses.now().is(address);
        } catch (SocketException unknown) {
            return false;
        }
    }
}
