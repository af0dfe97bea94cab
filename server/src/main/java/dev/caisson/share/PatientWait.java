package dev.caisson.share;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/// Wait of one thread, the one that makes this, for the end of something that may last; with
/// limits, which [Glances] keep.
public final class PatientWait {
    private final CompletableFuture<?> end;
    private final Thread thread = Thread.currentThread();

    public PatientWait(CompletableFuture<?> end) {
        this.end = end;
        var _ = end.whenComplete((_, _) -> LockSupport.unpark(thread));
    }

    /// @param atMost at least so long, and a moment longer
    /// @return whether it is over, however it ended
    public boolean await(Duration atMost) throws InterruptedException {
        if (end.isDone()) {
            return true;
        }
        var late = new AtomicBoolean();
        try (var _ = Glances.every(atMost, () -> end(late))) {
            while (!end.isDone() && !late.get()) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                LockSupport.park(this);
            }
        }
        return end.isDone();
    }

    private void end(AtomicBoolean late) {
        late.set(true);
        LockSupport.unpark(thread);
    }
}
