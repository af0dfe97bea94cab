package dev.caisson.share;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Glances at whatever lasts, by one thread for all of it: whether a client has left, whether a
/// limit of time is over. A timer of its own would have to be set and taken back for each wait, and
/// wakes a thread both times; here that costs an entry in a table.
///
/// A glance may come late by a [#TICK], and must not take long. When nothing is looked at for a
/// while the thread ends.
public final class Glances {
    static final Duration TICK = Duration.ofMillis(50);

    private static final Logger LOG = LoggerFactory.getLogger(Glances.class);
    private static final int QUIET_TICKS_MAX = 100;
    private static final Glances ALL = new Glances();

    private final Set<Item> items = ConcurrentHashMap.newKeySet();
    private volatile boolean resting = true;

    private Glances() {}

    /// What is looked at until it is closed; one that is under way then may still end after that.
    public interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /// Looks again and again, the first time after so long.
    public static Watch every(Duration interval, Runnable look) {
        return ALL.add(new Item(ALL, interval.toNanos(), look));
    }

    private static final class Item implements Watch {
        private final Glances owner;
        private final long interval;
        private final Runnable look;
        private long next;

        Item(Glances owner, long interval, Runnable look) {
            this.owner = owner;
            this.interval = interval;
            this.look = look;
            this.next = System.nanoTime() + interval;
        }

        void lookAt(long now) {
            if (now - next < 0) {
                return;
            }
            next = now + interval;
            try {
                look.run();
            } catch (RuntimeException failed) {
                LOG.warn("a glance failed", failed);
            }
        }

        @Override
        public void close() {
            owner.items.remove(this);
        }
    }

    private Watch add(Item item) {
        items.add(item);
        if (resting) {
            begin();
        }
        return item;
    }

    private synchronized void begin() {
        if (resting) {
            resting = false;
            Thread.ofPlatform().name("glances").daemon().start(this::work);
        }
    }

    private void work() {
        int quiet = 0;
        try {
            while (quiet < QUIET_TICKS_MAX || !rest()) {
                Thread.sleep(TICK);
                long now = System.nanoTime();
                items.forEach(item -> item.lookAt(now));
                quiet = items.isEmpty() ? Math.min(quiet + 1, QUIET_TICKS_MAX) : 0;
            }
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /// Whoever adds something from here on starts another thread.
    ///
    /// @return false when something was added just before
    private synchronized boolean rest() {
        resting = true;
        if (!items.isEmpty()) {
            resting = false;
        }
        return resting;
    }
}
