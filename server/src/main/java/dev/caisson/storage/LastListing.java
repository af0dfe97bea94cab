package dev.caisson.storage;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/// Files of an open workspace as they were when its last run ended, for the next run: what is
/// changed between the two is changed by what the first one left running, and belongs to the next,
/// as its output does. Changes through the server belong to no run: after one of them the files are
/// looked at again.
///
/// It is the lock that those changes are made under, and counts them.
public final class LastListing implements Lock {
    /// Longer listings are not kept.
    static final int FILES_MAX = 1_000;

    private record Seen(Listing listing, long changes) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicLong changes = new AtomicLong();
    private Optional<Seen> last = Optional.empty();

    /// How many changes were begun or ended. Asked before a listing is made.
    long changes() {
        return changes.get();
    }

    /// Keeps a listing for the next run.
    ///
    /// @param since what [#changes] said before it was made
    synchronized void keep(Listing listing, long since) {
        last =
                listing.complete() && listing.files().size() <= FILES_MAX
                        ? Optional.of(new Seen(listing, since))
                        : Optional.empty();
    }

    /// What the last run left, if that is known and nothing was changed through the server since.
    /// It is known once: a run that breaks off leaves nothing for the next.
    public synchronized Optional<Listing> take() {
        var taken = last.filter(seen -> seen.changes() == changes.get()).map(Seen::listing);
        last = Optional.empty();
        return taken;
    }

    @Override
    public void lock() {
        lock.lock();
        changes.incrementAndGet();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        lock.lockInterruptibly();
        changes.incrementAndGet();
    }

    @Override
    public boolean tryLock() {
        return counted(lock.tryLock());
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return counted(lock.tryLock(time, unit));
    }

    private boolean counted(boolean locked) {
        if (locked) {
            changes.incrementAndGet();
        }
        return locked;
    }

    @Override
    public void unlock() {
        changes.incrementAndGet();
        lock.unlock();
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("nobody waits for a change of files");
    }
}
