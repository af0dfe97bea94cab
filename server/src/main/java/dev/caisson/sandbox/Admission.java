package dev.caisson.sandbox;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Who may start a sandbox now, and who waits, first come first served. More than a bounded number
/// do not wait: they are told how long it would take.
final class Admission {
    private final int places;
    private final int waitingMax;
    private final Duration waitMax;
    private final Semaphore free;
    private final AtomicInteger waiting = new AtomicInteger();

    /// A running mean of how long a place is held, for the estimate.
    private final AtomicLong heldMillis = new AtomicLong(1_000);

    Admission(int places, int waitingMax, Duration waitMax) {
        this.places = places;
        this.waitingMax = waitingMax;
        this.waitMax = waitMax;
        this.free = new Semaphore(places, true);
    }

    /// @throws Refusal when too many wait already, or no place came free in time
    void enter() throws InterruptedException {
        if (free.tryAcquire(0, TimeUnit.SECONDS)) {
            return;
        }
        if (waiting.incrementAndGet() > waitingMax) {
            waiting.decrementAndGet();
            throw refusal("All %d sandboxes are busy and %d calls wait already.", waitingMax);
        }
        try {
            if (!free.tryAcquire(waitMax.toMillis(), TimeUnit.MILLISECONDS)) {
                throw refusal("All %d sandboxes stayed busy for %d seconds.", waitMax.toSeconds());
            }
        } finally {
            waiting.decrementAndGet();
        }
    }

    void leave(Duration held) {
        heldMillis.updateAndGet(mean -> (mean * 7 + held.toMillis()) / 8);
        free.release();
    }

    /// Waits until nobody has a place; nobody gets one afterwards.
    ///
    /// @return false when the time was over first
    boolean awaitIdle(Duration atMost) throws InterruptedException {
        return free.tryAcquire(places, atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Refusal refusal(String sentence, long number) {
        long seconds = expectedWait().toSeconds() + 1;
        return new Refusal(
                Reason.NO_CAPACITY,
                sentence.formatted(places, number) + " Try again in about %d s.".formatted(seconds),
                Map.of("retry_after_seconds", seconds));
    }

    /// How long someone who came now would wait, by what runs took lately.
    Duration expectedWait() {
        return Duration.ofMillis(heldMillis.get() * (waiting.get() + 1) / places);
    }

    int waiting() {
        return waiting.get();
    }

    int running() {
        return places - free.availablePermits();
    }
}
