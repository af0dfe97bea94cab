package dev.caisson.rest.runs;

import java.time.Duration;

/// Condition variable of one request with an Idempotency-Key that is under way in this process:
/// repetitions of the request wait here until it has come further.
final class ProgressSignal {
    private long steps;

    /// How far the request has come, to be asked before its record is read.
    synchronized long steps() {
        return steps;
    }

    synchronized void advance() {
        steps++;
        notifyAll();
    }

    /// Waits until the request has come further, or for so long.
    ///
    /// @param seen how far it was before its record was read
    synchronized void awaitAfter(long seen, Duration atMost) throws InterruptedException {
        var end = System.nanoTime() + atMost.toNanos();
        for (var left = atMost.toMillis();
                steps == seen && left > 0;
                left = (end - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
    }
}
