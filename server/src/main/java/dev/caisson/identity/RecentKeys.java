package dev.caisson.identity;

import dev.caisson.call.Door;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Keys as they were a moment ago. Holds only keys that exist, so its size is theirs; what nobody
/// has is looked up each time.
final class RecentKeys {
    /// How old an answer may be. Also how long a revoked key may go on working.
    static final Duration AGE_MAX = Duration.ofMillis(500);

    private record Entry(KeyRows.Row row, long readAt) {}

    private final Keys keys;
    private final LongSupplier nanoTime;
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    private volatile boolean tokenUsed;

    RecentKeys(Keys keys, LongSupplier nanoTime) {
        this.keys = keys;
        this.nanoTime = nanoTime;
    }

    Optional<KeyRows.Row> find(String id) {
        var entry = entries.get(id);
        if (!recent(entry)) {
            entry = entries.compute(id, this::read);
        }
        return Optional.ofNullable(entry).map(Entry::row);
    }

    /// Its holder is admitted.
    void noteUse(String id) {
        keys.noteUse(id);
    }

    /// Its holder is admitted for what may be the first time.
    void used(String id, Door door) {
        keys.used(id, door);
        entries.remove(id);
        find(id);
    }

    /// The holder of the one more secret is admitted for what may be the first time.
    void tokenUsed(String caller, byte[] hash, Door door) {
        if (!tokenUsed) {
            keys.tokenUsed(caller, hash, door);
            tokenUsed = true;
        }
    }

    /// One caller reads; others who want the same key wait for it.
    private @Nullable Entry read(String id, @Nullable Entry known) {
        if (recent(known)) {
            return known;
        }
        var now = nanoTime.getAsLong();
        return keys.row(id).map(row -> new Entry(row, now)).orElse(null);
    }

    private boolean recent(@Nullable Entry entry) {
        return entry != null && nanoTime.getAsLong() - entry.readAt() < AGE_MAX.toNanos();
    }
}
