package dev.caisson.upstream;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Rounds of listing one upstream: one at a time, not more often than once in a while, however
/// often they are asked for, and again when the last list is old.
final class ListingRounds implements AutoCloseable {
    /// How long after the begin of a round the next one may begin.
    static final Duration APART = Duration.ofSeconds(5);

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
                Thread.sleep(apart);
            }
        } catch (InterruptedException _) {
            LOG.debug("no more lists of the upstream {}", upstream);
        }
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
