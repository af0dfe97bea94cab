package dev.caisson.store;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Units that wait for the writer, in the order they came. Once closed it takes no more, and hands
/// out what is left.
final class Backlog {
    private final int max;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<Unit> waiting = new ArrayDeque<>();
    private boolean closed;

    Backlog(int max) {
        this.max = max;
    }

    /// @throws Refusal NO_CAPACITY when too many wait already
    void add(Unit unit) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the store is closed");
            }
            if (waiting.size() >= max) {
                throw full(max);
            }
            waiting.add(unit);
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
    List<Unit> take(int atMost) {
        lock.lock();
        try {
            while (waiting.isEmpty() && !closed) {
                changed.awaitUninterruptibly();
            }
            var taken = new ArrayList<Unit>();
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
