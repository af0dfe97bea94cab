package dev.caisson.egress;

import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Tally of what one run asked of the network, by host, port and verdict.
final class NetworkTally {
    private final Clock clock;
    private final Map<Place, Counted> counted = new HashMap<>();

    private record Place(String host, int port, NetworkVerdict verdict) {}

    private static final class Counted {
        Instant first = Instant.MAX;
        Instant last = Instant.MIN;
        long requests;
        long sent;
        long received;
    }

    NetworkTally(Clock clock) {
        this.clock = clock;
    }

    Instant now() {
        return clock.instant();
    }

    /// Counts a request that is over.
    ///
    /// @param asked when it was made
    synchronized void add(
            String host,
            int port,
            NetworkVerdict verdict,
            Instant asked,
            long sent,
            long received) {
        var place = new Place(host, port, verdict);
        if (!counted.containsKey(place) && counted.size() >= HostUse.COUNT_MAX) {
            place = new Place(HostUse.OTHERS, 0, verdict);
        }
        var use = counted.computeIfAbsent(place, _ -> new Counted());
        use.first = asked.isBefore(use.first) ? asked : use.first;
        use.last = clock.instant();
        use.requests++;
        use.sent += sent;
        use.received += received;
    }

    /// The first asked for comes first.
    synchronized List<HostUse> uses() {
        return counted.entrySet().stream()
                .map(each -> use(each.getKey(), each.getValue()))
                .sorted(
                        Comparator.comparing(HostUse::first)
                                .thenComparing(HostUse::host)
                                .thenComparingInt(HostUse::port)
                                .thenComparing(HostUse::verdict))
                .toList();
    }

    private static HostUse use(Place place, Counted use) {
        return new HostUse(
                place.host(),
                place.port(),
                place.verdict(),
                use.requests,
                use.sent,
                use.received,
                use.first,
                use.last);
    }
}
