package dev.caisson.door;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Deadline of one call, which can stand still. It ends the call unless it is closed before.
final class CallDeadline implements CallDeadlines.Watch {
    private final ScheduledExecutorService timer;
    private final Runnable late;
    private long left;
    private long since;
    private Optional<Future<?>> pending = Optional.empty();
    private boolean closed;

    CallDeadline(ScheduledExecutorService timer, Duration after, Runnable late) {
        this.timer = timer;
        this.left = after.toNanos();
        this.late = late;
        goOn();
    }

    @Override
    public synchronized void stop() {
        if (pending.isPresent()) {
            pending.get().cancel(false);
            pending = Optional.empty();
            left -= System.nanoTime() - since;
        }
    }

    @Override
    public synchronized void goOn() {
        if (!closed && pending.isEmpty()) {
            since = System.nanoTime();
            pending = Optional.of(timer.schedule(late, Math.max(0, left), TimeUnit.NANOSECONDS));
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        stop();
    }
}
