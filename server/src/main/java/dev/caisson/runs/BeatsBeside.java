package dev.caisson.runs;

import dev.caisson.share.Glances;
import dev.caisson.share.MixedThreads;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Beats beside a run that its caller's thread is busy with: from time to time another thread does
/// what is to be done for the caller, one at a time, and never after this was closed. A short run
/// ends before the first of them.
final class BeatsBeside implements AutoCloseable {
    private final MixedThreads threads;
    private final Runnable beat;
    private final Runnable onFailure;
    private final Glances.Watch watch;
    private final ReentrantLock beating = new ReentrantLock();
    private Optional<MixedThreads.Started> under = Optional.empty();
    private Optional<RuntimeException> failure = Optional.empty();
    private boolean over;

    /// @param onFailure is called when a beat fails, which is the last one then
    private BeatsBeside(MixedThreads threads, Duration every, Runnable beat, Runnable onFailure) {
        this.threads = threads;
        this.beat = beat;
        this.onFailure = onFailure;
        this.watch = Glances.every(every, this::begin);
    }

    static BeatsBeside every(
            Duration time, MixedThreads threads, Runnable beat, Runnable onFailure) {
        return new BeatsBeside(threads, time, beat, onFailure);
    }

    /// While one takes long, the next is left out.
    private synchronized void begin() {
        if (!over && under.isEmpty()) {
            under = Optional.of(threads.start(this::work));
        }
    }

    private void work() {
        beating.lock();
        try {
            if (!isOver()) {
                beat.run();
            }
        } catch (RuntimeException failed) {
            fail(failed);
        } finally {
            beating.unlock();
            rest();
        }
    }

    private synchronized boolean isOver() {
        return over;
    }

    private void fail(RuntimeException failed) {
        synchronized (this) {
            failure = Optional.of(failed);
            over = true;
        }
        onFailure.run();
    }

    private synchronized void rest() {
        under = Optional.empty();
    }

    /// What a beat threw.
    synchronized Optional<RuntimeException> failure() {
        return failure;
    }

    /// Waits for a beat that is under way. Who is interrupted meanwhile interrupts that.
    @Override
    public void close() {
        watch.close();
        Optional<MixedThreads.Started> last;
        synchronized (this) {
            over = true;
            last = under;
        }
        boolean interrupted = false;
        while (true) {
            try {
                beating.lockInterruptibly();
                break;
            } catch (InterruptedException ended) {
                interrupted = true;
                last.ifPresent(MixedThreads.Started::interrupt);
            }
        }
        beating.unlock();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
