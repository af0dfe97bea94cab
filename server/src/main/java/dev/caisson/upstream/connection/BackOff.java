package dev.caisson.upstream.connection;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;

/// Back-off after failures: from one second it doubles to a minute, with jitter; five failures in
/// five minutes are enough for a longer rest. A start alone shows nothing: only a minute of being
/// up makes them forgotten.
final class BackOff {
    static final Duration FIRST = Duration.ofSeconds(1);
    static final Duration MOST = Duration.ofSeconds(60);
    static final Duration UPTIME = Duration.ofSeconds(60);
    static final Duration WINDOW = Duration.ofMinutes(5);
    static final Duration REST = Duration.ofMinutes(10);
    static final int FAILURES_MAX = 5;

    private final Deque<Long> failures = new ArrayDeque<>();
    private int inARow;

    /// @param now in the time of [System#nanoTime]
    /// @return how long to wait
    Duration failed(long now) {
        failures.addLast(now);
        inARow++;
        while (now - failures.getFirst() > WINDOW.toNanos()) {
            failures.removeFirst();
        }
        if (isBroken()) {
            return REST;
        }
        long whole =
                Math.min(MOST.toMillis(), FIRST.toMillis() << Math.min(Math.max(0, inARow - 1), 6));
        return Duration.ofMillis(whole / 2 + ThreadLocalRandom.current().nextLong(whole / 2 + 1));
    }

    boolean isBroken() {
        return failures.size() >= FAILURES_MAX;
    }

    void forget() {
        failures.clear();
        inARow = 0;
    }
}
