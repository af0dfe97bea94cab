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

/// Sync of the journal with its disk, done by whoever waits first: the disk takes all there is at
/// once, and all who come meanwhile share the next wait for it. No thread has to be woken for that;
/// a virtual thread holds on to its carrier meanwhile, one at a time does.
final class JournalSync implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JournalSync.class);

    private final LongSupplier last;
    private final Runnable force;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition told = lock.newCondition();
    private final Queue<Later> laters = new PriorityQueue<>();
    private volatile long durable;
    private volatile boolean broken;
    private boolean forcing;

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
        while (isMyTurn(number)) {
            force();
        }
        return number <= durable;
    }

    /// Waits until the record is durable, or nobody else has the disk take anything.
    ///
    /// @return whether it is for this thread to do so
    private boolean isMyTurn(long number) {
        lock.lock();
        try {
            while (number > durable && !broken && forcing) {
                told.awaitUninterruptibly();
            }
            boolean mine = number > durable && !broken;
            forcing = forcing || mine;
            return mine;
        } finally {
            lock.unlock();
        }
    }

    private void force() {
        boolean done = false;
        try {
            long number = last.getAsLong();
            force.run();
            reached(number);
            done = true;
        } catch (UncheckedIOException failed) {
            LOG.error("the journal cannot be written; calls wait for the database", failed);
        } finally {
            forced(done);
        }
    }

    private void forced(boolean done) {
        lock.lock();
        try {
            forcing = false;
            broken = broken || !done;
            told.signalAll();
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

    /// Whoever still waits hears that the disk does not have it. What is on its way to the disk is
    /// waited for.
    @Override
    public void close() {
        lock.lock();
        try {
            broken = true;
            told.signalAll();
            while (forcing) {
                told.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }
}
