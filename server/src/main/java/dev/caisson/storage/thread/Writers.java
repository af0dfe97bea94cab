package dev.caisson.storage.thread;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Write locks of threads: at most one execution per thread.
public final class Writers {
    /// More callers than this do not wait for one thread; the next one is refused at once.
    public static final int WAITING_MAX = 16;

    /// Stands for the execution while a thread is deleted.
    static final String DELETION = "deletion";

    private static final class Place {
        String execution;
        int waiting;

        Place(String execution) {
            this.execution = execution;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    private final Map<String, Place> places = new HashMap<>();

    /// @throws Refusal CONFLICT when the place is still taken after the wait
    public void enter(String place, String execution, Duration wait) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            var left = wait.toNanos();
            for (var taken = places.get(place); taken != null; taken = places.get(place)) {
                if (left <= 0 || taken.waiting >= WAITING_MAX) {
                    throw busy(taken);
                }
                taken.waiting++;
                try {
                    left = released.awaitNanos(left);
                } finally {
                    taken.waiting--;
                }
            }
            places.put(place, new Place(execution));
        } finally {
            lock.unlock();
        }
    }

    public void leave(String place) {
        lock.lock();
        try {
            places.remove(place);
            released.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public boolean isTaken(String place) {
        lock.lock();
        try {
            return places.containsKey(place);
        } finally {
            lock.unlock();
        }
    }

    private static Refusal busy(Place taken) {
        if (taken.execution.equals(DELETION)) {
            return new Refusal(
                    Reason.CONFLICT, "The thread is being deleted. Try again when it is gone.");
        }
        return new Refusal(
                Reason.CONFLICT,
                "The thread is in use by execution "
                        + taken.execution
                        + ". Try again when it has ended.",
                Map.of("status", "conflict", "execution_id", taken.execution, "retryable", true));
    }
}
