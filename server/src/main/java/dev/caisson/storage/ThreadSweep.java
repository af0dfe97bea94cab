package dev.caisson.storage;

import dev.caisson.call.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/// Removes threads that nobody uses: those unused for too long, and the longest unused while all
/// together take too much. One that is in use is never touched.
public final class ThreadSweep {
    private final Threads threads;
    private final Optional<Duration> idle;
    private final Optional<Long> bytes;
    private final Clock clock;

    /// @param idle how long a thread may be unused; empty means for ever
    /// @param bytes all may take together; empty means without limit
    public ThreadSweep(
            Threads threads, Optional<Duration> idle, Optional<Long> bytes, Clock clock) {
        this.threads = threads;
        this.idle = idle;
        this.bytes = bytes;
        this.clock = clock;
    }

    /// @return how many were removed
    public int run() throws InterruptedException {
        try {
            var removed = idle.isPresent() ? removeIdle(idle.get()) : 0;
            return removed + (bytes.isPresent() ? removeAbove(bytes.get()) : 0);
        } catch (IOException e) {
            throw new UncheckedIOException("unused threads cannot be removed", e);
        }
    }

    private int removeIdle(Duration most) throws IOException, InterruptedException {
        var moment = clock.instant().minus(most);
        var removed = 0;
        for (var entry : threads.all()) {
            if (entry.used().isBefore(moment) && removed(entry)) {
                removed++;
            }
        }
        return removed;
    }

    private int removeAbove(long most) throws IOException, InterruptedException {
        var entries = threads.all();
        var excess = -most;
        for (var entry : entries) {
            excess += threads.bytes(entry);
        }
        var removed = 0;
        for (var entry : entries) {
            if (excess <= 0) {
                break;
            }
            var size = threads.bytes(entry);
            if (removed(entry)) {
                removed++;
                excess -= size;
            }
        }
        return removed;
    }

    private boolean removed(ThreadIndex.Entry entry) throws IOException, InterruptedException {
        try {
            return threads.removeUnused(entry);
        } catch (Refusal usedSinceThen) {
            return false;
        }
    }
}
