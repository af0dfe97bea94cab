package dev.caisson.config;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Thread that looks once in an interval for what others changed: a file, or rows of a database. A
/// look that fails is made again.
public final class RepeatedLook implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RepeatedLook.class);

    private final String what;
    private final Duration interval;
    private final Runnable look;
    private final Thread thread;

    private RepeatedLook(String what, Duration interval, Runnable look) {
        this.what = what;
        this.interval = interval;
        this.look = look;
        this.thread = Thread.ofVirtual().name(what).unstarted(this::repeat);
    }

    /// @param what is looked for, in a word or two
    public static RepeatedLook start(String what, Duration interval, Runnable look) {
        var started = new RepeatedLook(what, interval, look);
        started.thread.start();
        return started;
    }

    private void repeat() {
        try {
            while (true) {
                Thread.sleep(interval);
                now();
            }
        } catch (InterruptedException _) {
            LOG.debug("no more looks for {}", what);
        }
    }

    /// One more look, on the calling thread.
    public void now() {
        try {
            look.run();
        } catch (RuntimeException trouble) {
            LOG.warn("{} could not be looked at; retrying", what, trouble);
        }
    }

    /// A look under way is ended.
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
