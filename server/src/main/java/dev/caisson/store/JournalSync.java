package dev.caisson.store;

import dev.caisson.call.Durable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Thread that has the disk take what was put into the journal. It takes all there is at once, so
/// that all who wait share one wait for the disk. A platform thread: the call would hold on to a
/// virtual thread's carrier.
final class JournalSync implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JournalSync.class);

    private final LongSupplier last;
    private final Runnable force;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition asked = lock.newCondition();
    private final Condition told = lock.newCondition();
    private final Queue<Later> laters = new PriorityQueue<>();
    private final Thread thread;
    private long wanted;
    private volatile long durable;
    private volatile boolean broken;
    private boolean closed;

    /// What is done when a record is durable.
    private record Later(long number, Durable.Next next) implements Comparable<Later> {
        @Override
        public int compareTo(Later other) {
            return Long.compare(number, other.number);
        }
    }

    /// @param last the number of the last record that was put
    /// @param force returns when the disk has all that was put before
    JournalSync(LongSupplier last, Runnable force) {
        this.last = last;
        this.force = force;
        this.thread = Thread.ofPlatform().name("journal").daemon().start(this::forceUntilEnd);
    }

    boolean isDurable(long number) {
        return number <= durable;
    }

    /// Whether the disk refused to take something: then it is not asked again.
    boolean isBroken() {
        return broken;
    }

    /// Returns when the record is durable. An interrupt does not end the waiting.
    ///
    /// @return false when the disk does not take it
    boolean await(long number) {
        lock.lock();
        try {
            if (number > wanted) {
                wanted = number;
                asked.signal();
            }
            while (number > durable && !broken) {
                told.awaitUninterruptibly();
            }
            return number <= durable;
        } finally {
            lock.unlock();
        }
    }

    /// Does something when the record is durable, whoever waits for that.
    void then(long number, Durable.Next next) {
        lock.lock();
        try {
            if (number > durable) {
                laters.add(new Later(number, next));
                return;
            }
        } finally {
            lock.unlock();
        }
        next.after(true);
    }

    /// The database has all up to this number.
    void settled(long number) {
        reached(number);
    }

    private void forceUntilEnd() {
        while (awaitAsked()) {
            try {
                long number = last.getAsLong();
                force.run();
                reached(number);
            } catch (UncheckedIOException failed) {
                LOG.error("the journal cannot be written; calls wait for the database", failed);
                fail();
            }
        }
    }

    private boolean awaitAsked() {
        lock.lock();
        try {
            while (!closed && (wanted <= durable || broken)) {
                asked.awaitUninterruptibly();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private void reached(long number) {
        var due = new ArrayList<Later>();
        lock.lock();
        try {
            durable = Math.max(durable, number);
            for (var next = Optional.ofNullable(laters.peek());
                    next.isPresent() && next.get().number() <= durable;
                    next = Optional.ofNullable(laters.peek())) {
                due.add(laters.remove());
            }
            told.signalAll();
        } finally {
            lock.unlock();
        }
        due.forEach(later -> later.next().after(true));
    }

    private void fail() {
        lock.lock();
        try {
            broken = true;
            told.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Whoever still waits hears that the disk does not have it.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            broken = true;
            asked.signalAll();
            told.signalAll();
        } finally {
            lock.unlock();
        }
        var interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
