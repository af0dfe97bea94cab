package dev.caisson.ledger;

import dev.caisson.store.JointWriter;
import dev.caisson.store.Store;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where entries stay between the answer to their call and the database: in [Pending], which
/// outlives this process, and in the queue of the writer.
///
/// Both have them in the same order, and what the writer takes it takes whole. So the database,
/// which notes the highest number in the same transaction as the entries, has all below it too.
final class Foreland {
    private static final Logger LOG = LoggerFactory.getLogger(Foreland.class);

    private static final Duration WARN_EVERY = Duration.ofSeconds(10);

    private final Store store;
    private final JointWriter<Draft, LinkedEntry> writer;
    private final Pending pending;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean closed;
    private volatile long warned = System.nanoTime() - WARN_EVERY.toNanos();

    Foreland(Store store, JointWriter<Draft, LinkedEntry> writer, Pending pending) {
        this.store = store;
        this.writer = writer;
        this.pending = pending;
    }

    /// @return false when there is no room now
    boolean take(Draft draft) {
        lock.lock();
        try {
            if (closed || !pending.hasRoomFor(draft.form())) {
                return false;
            }
            var place = new Draft.Place(pending.name(), pending.put(draft.form()));
            write(draft.at(place), place.number());
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void write(Draft draft, long number) {
        writer.writeLater(
                draft,
                new JointWriter.Told() {
                    @Override
                    public void durable() {
                        pending.settle(number);
                    }

                    @Override
                    public void failed(Throwable why) {
                        again(draft, number, why);
                    }
                });
    }

    /// Its call was answered, so it is tried until it succeeds. While nothing can be written the
    /// file fills up, and then calls wait for the writer and are refused with it.
    private void again(Draft draft, long number, Throwable why) {
        warn(why);
        if (!closed) {
            write(draft, number);
        }
    }

    private void warn(Throwable why) {
        var now = System.nanoTime();
        if (now - warned > WARN_EVERY.toNanos()) {
            warned = now;
            LOG.warn("the ledger cannot be written; it will be tried again", why);
        }
    }

    /// Has everything written. What could not be is left for the next start.
    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        writer.flush();
        // The writer does this after all that was asked for before.
        if (pending.isSettled(store.write(handle -> LedgerRows.settled(handle, pending.name())))) {
            pending.remove();
            store.write(handle -> LedgerRows.forget(handle, pending.name()));
        } else {
            pending.close();
        }
    }
}
