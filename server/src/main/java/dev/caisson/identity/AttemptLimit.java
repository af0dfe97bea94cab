package dev.caisson.identity;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.LongSupplier;

/// Limit on failed attempts per address. An address with too many of them lately is told to wait,
/// until the oldest that counts is a window ago.
///
/// An IPv6 address counts with its whole /64, for that is what one customer gets.
final class AttemptLimit {
    /// How many failures within the window get an ordinary answer.
    static final int FAILURES_MAX = 3;

    static final Duration WINDOW = Duration.ofSeconds(60);

    /// How many addresses are remembered; the one that failed longest ago is forgotten first.
    static final int ADDRESSES_MAX = 10_000;

    private static final int SUBNET_BYTES = 8;
    private static final int ADDRESS_LENGTH_MAX = 64;

    private final int failuresMax;
    private final Duration window;
    private final LongSupplier nanoTime;
    private final Map<String, Queue<Long>> failures = new LinkedHashMap<>(16, 0.75f, true);

    AttemptLimit(LongSupplier nanoTime) {
        this(FAILURES_MAX, WINDOW, nanoTime);
    }

    AttemptLimit(int failuresMax, Duration window, LongSupplier nanoTime) {
        this.failuresMax = failuresMax;
        this.window = window;
        this.nanoTime = nanoTime;
    }

    /// Counts a failure.
    ///
    /// @return how long to wait, when there were too many before it; that one does not count
    synchronized Optional<Duration> failed(String address) {
        var now = nanoTime.getAsLong();
        var recent = failures.computeIfAbsent(source(address), _ -> new ArrayDeque<>());
        recent.removeIf(moment -> now - moment >= window.toNanos());
        if (recent.size() >= failuresMax) {
            return Optional.of(Duration.ofNanos(recent.element() + window.toNanos() - now));
        }
        recent.add(now);
        if (failures.size() > ADDRESSES_MAX) {
            failures.remove(failures.keySet().iterator().next());
        }
        return Optional.empty();
    }

    synchronized int remembered() {
        return failures.size();
    }

    private static String source(String address) {
        try {
            var literal = InetAddress.ofLiteral(address);
            return literal instanceof Inet6Address
                    ? HexFormat.of().formatHex(Arrays.copyOf(literal.getAddress(), SUBNET_BYTES))
                    : literal.getHostAddress();
        } catch (IllegalArgumentException _) {
            return address.substring(0, Math.min(address.length(), ADDRESS_LENGTH_MAX));
        }
    }
}
