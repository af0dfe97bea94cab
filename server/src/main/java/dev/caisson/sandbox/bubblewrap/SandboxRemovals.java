package dev.caisson.sandbox.bubblewrap;

import dev.caisson.share.HeldShare;
import dev.caisson.share.Share;
import dev.caisson.share.ShareLimit;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Removal queue of dead sandboxes: takes them apart behind the backs of their callers, within a
/// bounded number. A caller that has its share of them waiting takes the next one apart itself,
/// before it has its answer; so one whose programs die slowly waits for its own, and nobody else
/// does.
public final class SandboxRemovals {
    private final Executor threads;
    private final int most;
    private final Share share;
    private final Semaphore free;

    /// @param most how many may be under way at once
    public SandboxRemovals(Executor threads, int most, ShareLimit part) {
        this.threads = threads;
        this.most = most;
        this.share = new Share("removals", "sandboxes that are taken apart", most, part);
        this.free = new Semaphore(most);
    }

    /// Runs it soon on another thread, or here and now.
    public void run(String caller, Runnable removal) {
        var turn = turn(caller);
        if (turn.isEmpty()) {
            removal.run();
            return;
        }
        threads.execute(() -> {
            try (var _ = turn.get()) {
                removal.run();
            }
        });
    }

    private Optional<HeldShare> turn(String caller) {
        var held = share.tryTake(caller, 1);
        if (held.isPresent() && !free.tryAcquire()) {
            held.get().close();
            return Optional.empty();
        }
        return held.map(taken ->
                () -> {
                    taken.close();
                    free.release();
                });
    }

    /// Waits until none is under way.
    ///
    /// @return false when the time was over first
    public boolean await(Duration atMost) throws InterruptedException {
        boolean all = free.tryAcquire(most, atMost.toMillis(), TimeUnit.MILLISECONDS);
        if (all) {
            free.release(most);
        }
        return all;
    }
}
