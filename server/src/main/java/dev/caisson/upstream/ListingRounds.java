package dev.caisson.upstream;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Rounds of listing one upstream: one at a time, and again when the last list is old. A few may
/// follow each other soon, so that a change is seen at once; however often they are asked for, they
/// are not more frequent in the long run than once in a while.
final class ListingRounds implements AutoCloseable {
    /// How many rounds may follow each other soon.
    static final int SOON_MAX = 5;

    /// How long after the end of a round the next of these begins at the earliest.
    static final Duration SOON = Duration.ofMillis(500);

    private static final Logger LOG = LoggerFactory.getLogger(ListingRounds.class);

    /// A round.
    @FunctionalInterface
    interface Round {
        void list() throws InterruptedException;
    }

    /// Whether a list that is old should be made again now.
    @FunctionalInterface
    interface Worth {
        boolean now();
    }

    private final String upstream;
    private final Round round;
    private final Worth worth;
    private final Duration apart;
    private final Supplier<Duration> age;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private boolean wanted;
    private long done;
    private long begun;
    private double free = SOON_MAX;
    private long counted = System.nanoTime();

    ListingRounds(
            String upstream, Duration apart, Supplier<Duration> age, Worth worth, Round round) {
        this.upstream = upstream;
        this.apart = apart;
        this.age = age;
        this.worth = worth;
        this.round = round;
        this.thread = Thread.ofVirtual().name("upstream-" + upstream).unstarted(this::repeat);
    }

    void start() {
        thread.start();
    }

    /// Asks for a round that begins after now.
    void want() {
        lock.lock();
        try {
            wanted = true;
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Asks for a round and waits for its end.
    ///
    /// @return whether it ended in time
    boolean await(Duration most) throws InterruptedException {
        lock.lock();
        try {
            wanted = true;
            news.signalAll();
            var after = begun;
            var left = most.toNanos();
            while (done <= after) {
                if (left <= 0) {
                    return false;
                }
                left = news.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void repeat() {
        try {
            while (true) {
                next();
                try {
                    round.list();
                } catch (RuntimeException trouble) {
                    LOG.warn("the tools of the upstream {} could not be listed", upstream, trouble);
                }
                ended();
                Thread.sleep(pause());
            }
        } catch (InterruptedException _) {
            LOG.debug("no more lists of the upstream {}", upstream);
        }
    }

    /// Every round takes one of a few places, and each comes back after a while.
    private Duration pause() {
        long now = System.nanoTime();
        free = Math.min(SOON_MAX, free + (double) (now - counted) / apart.toNanos()) - 1;
        counted = now;
        return free >= 0 && SOON.compareTo(apart) < 0 ? SOON : apart;
    }

    private void next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            var left = age.get().toNanos();
            while (!wanted && !(left <= 0 && worth.now())) {
                left = news.awaitNanos(left <= 0 ? apart.toNanos() : left);
            }
            wanted = false;
            begun++;
        } finally {
            lock.unlock();
        }
    }

    private void ended() {
        lock.lock();
        try {
            done = begun;
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
