package dev.caisson.storage;

import dev.caisson.call.Refusal;
import dev.caisson.share.EqualShares;
import dev.caisson.storage.thread.ThreadIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Optional;

/// Retention of threads: removes those that nobody uses: those unused for too long, and while all
/// together take too much the longest unused of whoever has most. One that is in use is never
/// touched.
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

    /// Removes the threads of callers who come back no more.
    ///
    /// @return how many were removed
    public int removeOf(Collection<String> callerIds) throws InterruptedException {
        try {
            var removed = 0;
            for (var callerId : callerIds) {
                for (var entry : threads.of(callerId)) {
                    removed += removed(entry) ? 1 : 0;
                }
            }
            return removed;
        } catch (IOException e) {
            throw new UncheckedIOException("threads cannot be removed", e);
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

    /// The caller with most bytes loses its longest unused threads first.
    private int removeAbove(long most) throws IOException, InterruptedException {
        var sizes = new LinkedHashMap<ThreadIndex.Entry, Long>();
        var owners = new HashMap<String, Long>();
        for (var entry : threads.all()) {
            var size = threads.bytes(entry);
            sizes.put(entry, size);
            owners.merge(entry.owner(), size, Long::sum);
        }
        var excess = EqualShares.above(owners, most);
        var removed = 0;
        for (var each : sizes.entrySet()) {
            var owner = each.getKey().owner();
            if (excess.getOrDefault(owner, 0L) > 0 && removed(each.getKey())) {
                removed++;
                excess.merge(owner, -each.getValue(), Long::sum);
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
