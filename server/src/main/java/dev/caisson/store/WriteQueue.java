package dev.caisson.store;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Queue of units that wait for the writer, in the order they came. Once closed it takes no more,
/// and hands out what is left.
final class WriteQueue {
    /// How long one that nobody waits for stays, so that it shares a commit with another.
    static final Duration PATIENCE = Duration.ofMillis(5);

    private final int max;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<WriteUnit> waiting = new ArrayDeque<>();

    /// Whether somebody waits for one of them, and until when the others can do without.
    private boolean urgent;

    private long patientUntil;
    private boolean closed;

    WriteQueue(int max) {
        this.max = max;
    }

    /// @throws Refusal NO_CAPACITY when too many wait already
    void add(WriteUnit unit) {
        add(unit, true);
    }

    /// One that goes along with whatever comes next, or by itself in a moment.
    ///
    /// @throws Refusal NO_CAPACITY when too many wait already
    void addPatient(WriteUnit unit) {
        add(unit, false);
    }

    private void add(WriteUnit unit, boolean now) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the store is closed");
            }
            if (waiting.size() >= max) {
                throw full(max);
            }
            if (!now && waiting.isEmpty()) {
                patientUntil = System.nanoTime() + PATIENCE.toNanos();
            }
            urgent |= now;
            waiting.add(unit);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /// Everything that waits is written at once.
    void hurry() {
        lock.lock();
        try {
            urgent = !waiting.isEmpty();
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    static Refusal full(int max) {
        return new Refusal(
                Reason.NO_CAPACITY,
                "The store is busy: " + max + " writes are waiting. Try again shortly.");
    }

    /// Waits until there is something.
    ///
    /// @return at most so many units; none only when it is closed and nothing is left
    List<WriteUnit> take(int atMost) {
        lock.lock();
        try {
            awaitWork();
            urgent = waiting.size() > atMost;
            var taken = new ArrayList<WriteUnit>();
            for (var unit = waiting.poll(); unit != null; unit = waiting.poll()) {
                taken.add(unit);
                if (taken.size() == atMost) {
                    break;
                }
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private void awaitWork() {
        while (!closed && waiting.isEmpty()) {
            changed.awaitUninterruptibly();
        }
        try {
            var left = patientUntil - System.nanoTime();
            while (!closed && !urgent && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException ended) {
            // Patience is over.
            Thread.currentThread().interrupt();
        }
    }

    int size() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
