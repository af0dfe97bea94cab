package dev.caisson.door;

import dev.caisson.call.BoundedClose;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Deadlines of calls: ends those that take longer than their programs allow.
final class CallDeadlines implements BoundedClose {
    private final ScheduledThreadPoolExecutor timer;

    CallDeadlines() {
        timer =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().name("door-deadlines").daemon().factory());
        timer.setRemoveOnCancelPolicy(true);
        timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    }

    /// Something that no longer waits for a deadline when it is closed.
    @FunctionalInterface
    interface Watch extends AutoCloseable {
        @Override
        void close();

        /// It stands still.
        default void stop() {}

        /// It goes on where it stood.
        default void goOn() {}
    }

    Watch end(ServedCall call, Optional<Duration> after) {
        if (after.isEmpty()) {
            return () -> {};
        }
        return new CallDeadline(timer, after.get(), () -> call.end(ServedCall.Why.TIMED_OUT));
    }

    /// Does something that takes no time, after a while.
    void after(Duration pause, Runnable then) {
        var _ = timer.schedule(then, pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close(Duration atMost) {
        timer.shutdownNow();
    }
}
