package dev.caisson.sandbox;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Who may have a sandbox now, and who waits. Callers take turns, so that nobody waits for all that
/// another one asked for before; and none has all places, so that there is always a turn to take.
///
/// More than a bounded number do not wait: they are told how long it would take. When the queue is
/// full, that is the last one of whoever waits with most, not whoever comes next.
final class Admission {
    private final int places;
    private final int placesOfOne;
    private final int waitingMax;
    private final Duration waitMax;
    private final Queues queues = new Queues();
    private final Map<String, Integer> running = new HashMap<>();
    private int free;
    private boolean closed;

    /// A running mean of how long a place is held, for the estimate.
    private long heldMillis = 1_000;

    Admission(int places, int waitingMax, Duration waitMax) {
        this.places = places;
        this.placesOfOne = Math.max(1, places - Math.max(1, places / 4));
        this.waitingMax = waitingMax;
        this.waitMax = waitMax;
        this.free = places;
    }

    /// @throws Refusal when too many wait already, or no place came free in time
    void enter(String caller) throws InterruptedException {
        var turn = ask(caller);
        try {
            if (!turn.await(waitMax)) {
                giveUp(caller, turn);
            }
        } catch (InterruptedException cancelled) {
            withdraw(caller, turn);
            throw cancelled;
        }
    }

    private synchronized Turn ask(String caller) {
        var turn = new Turn();
        if (!closed && free > 0 && mayHaveAnother(caller)) {
            begin(caller);
            turn.come();
            return turn;
        }
        if (closed || (queues.size() >= waitingMax && !makeRoomFor(caller))) {
            throw full();
        }
        queues.add(caller, turn);
        return turn;
    }

    private boolean mayHaveAnother(String caller) {
        return running.getOrDefault(caller, 0) < placesOfOne;
    }

    private void begin(String caller) {
        free--;
        running.merge(caller, 1, Integer::sum);
    }

    private boolean makeRoomFor(String caller) {
        var last = queues.takeLastOfLongest(caller);
        last.ifPresent(turn -> turn.refuse(full()));
        return last.isPresent();
    }

    void leave(String caller, Duration held) {
        synchronized (this) {
            heldMillis = (heldMillis * 7 + held.toMillis()) / 8;
            end(caller);
        }
    }

    private void end(String caller) {
        free++;
        running.computeIfPresent(caller, (_, count) -> count > 1 ? count - 1 : null);
        while (free > 0 && !closed) {
            var next = queues.takeNext(this::mayHaveAnother);
            if (next.isEmpty()) {
                break;
            }
            begin(next.get().caller());
            next.get().turn().come();
        }
        notifyAll();
    }

    /// Its turn may have come at the last moment.
    private synchronized void giveUp(String caller, Turn turn) {
        if (queues.remove(caller, turn)) {
            throw refusal("All %d sandboxes stayed busy for %d seconds.", waitMax.toSeconds());
        }
        if (turn.isRefused()) {
            throw full();
        }
    }

    private synchronized void withdraw(String caller, Turn turn) {
        if (!queues.remove(caller, turn) && !turn.isRefused()) {
            end(caller);
        }
    }

    /// Waits until nobody has a place; nobody gets one afterwards.
    ///
    /// @return false when the time was over first
    synchronized boolean awaitIdle(Duration atMost) throws InterruptedException {
        closed = true;
        long end = System.nanoTime() + atMost.toNanos();
        for (var turn : queues.clear()) {
            turn.refuse(
                    new Refusal(Reason.NO_CAPACITY, "The server is stopping. Try again later."));
        }
        while (free < places) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    private Refusal full() {
        return refusal("All %d sandboxes are busy and %d calls wait already.", waitingMax);
    }

    private Refusal refusal(String sentence, long number) {
        long seconds = expectedWait().toSeconds() + 1;
        return new Refusal(
                Reason.NO_CAPACITY,
                sentence.formatted(places, number) + " Try again in about %d s.".formatted(seconds),
                Map.of("retry_after_seconds", seconds));
    }

    /// How long someone who came now would wait, by what runs took lately.
    synchronized Duration expectedWait() {
        return Duration.ofMillis(heldMillis * (queues.size() + 1) / places);
    }

    synchronized int waiting() {
        return queues.size();
    }

    synchronized int running() {
        return places - free;
    }
}
