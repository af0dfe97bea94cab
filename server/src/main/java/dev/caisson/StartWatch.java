package dev.caisson;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watch on a start: knows at which [StartStep] it is, lets none be done before its turn, and logs
/// one that takes longer than its limit while it still does.
final class StartWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StartWatch.class);

    private @Nullable StartStep now;
    private Thread alarm = Thread.ofVirtual().unstarted(() -> {});

    /// The step before is over, and this one begins.
    void begin(StartStep step) {
        if (now != null && step.compareTo(now) <= 0) {
            throw new IllegalStateException(step + " comes before " + now);
        }
        now = step;
        alarm.interrupt();
        alarm = Thread.ofVirtual().name("start-watch").start(() -> warn(step));
    }

    private static void warn(StartStep step) {
        try {
            Thread.sleep(step.limit());
            LOG.warn("start: after {} s still to {}", step.limit().toSeconds(), step.what());
        } catch (InterruptedException over) {
            LOG.debug("start: done: {}", step.what());
        }
    }

    /// The start is over, or failed.
    @Override
    public void close() {
        alarm.interrupt();
    }
}
