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
/// @param source of addresses that nobody has judged
/// @param privateNames hosts, in lower case, that may have private addresses; the services of cloud
///   machines are not reached by these either
record JudgedLookup(AddressSource source, Set<String> privateNames) {
    /// How long the system may take to find the addresses of a name.
    static final Duration RESOLVE_MAX = Duration.ofSeconds(5);

    JudgedLookup {
        privateNames =
                privateNames.stream()
                        .map(JudgedLookup::plain)
                        .collect(Collectors.toUnmodifiableSet());
    }

    JudgedLookup(Set<String> privateNames) {
        this(AddressSource.SYSTEM, privateNames);
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
        return addresses(name, privateNames.contains(name));
    }

    /// The same for a host of which it is known whether its addresses may be private.
    List<InetAddress> addresses(String host, boolean mayBePrivate) throws InterruptedException {
        var name = plain(host);
        var answer = new CompletableFuture<InetAddress[]>();
        // The system's own way to ask cannot be interrupted.
        Thread.ofPlatform().daemon().name("name-lookup").start(() -> ask(name, answer));
        try {
            var found = answer.get(RESOLVE_MAX.toMillis(), TimeUnit.MILLISECONDS);
            return Arrays.stream(found).filter(address -> mayReach(address, mayBePrivate)).toList();
        } catch (TimeoutException | ExecutionException late) {
            return List.of();
        }
    }

    private void ask(String name, CompletableFuture<InetAddress[]> answer) {
        try {
            answer.complete(source.addresses(name));
        } catch (UnknownHostException | RuntimeException none) {
            answer.complete(new InetAddress[0]);
        }
    }

    /// The services of cloud machines are never reached.
    private static boolean mayReach(InetAddress address, boolean mayBePrivate) {
        if (MachineServices.are(address)) {
            return false;
        }
        try {
            return mayBePrivate || !PrivateAddresses.now().is(address);
        } catch (SocketException unknown) {
            return false;
        }
    }
}
