package dev.caisson.door;

import dev.caisson.call.BoundedClose;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Deadlines of calls: ends those that take longer than their programs allow.
final class CallDeadlines implements BoundedClose {
    private final ScheduledThreadPoolExecutor timer;

    CallDeadlines() {
        timer =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().name("door-deadlines").daemon().factory());
        timer.setRemoveOnCancelPolicy(true);
    }

    /// Something that no longer waits for a deadline when it is closed.
    @FunctionalInterface
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    Watch end(ServedCall call, Optional<Duration> after) {
        if (after.isEmpty()) {
            return () -> {};
        }
        var pending =
                timer.schedule(
                        () -> call.end(ServedCall.Why.TIMED_OUT),
                        after.get().toMillis(),
                        TimeUnit.MILLISECONDS);
        return () -> pending.cancel(false);
    }

    @Override
    public void close(Duration atMost) {
        timer.shutdownNow();
    }
}
