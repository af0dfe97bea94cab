package dev.caisson.identity;

import dev.caisson.call.Refusal;
import dev.caisson.store.Store;
import dev.caisson.store.Transaction;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Times of the last use of each key. A request only changes a map in memory; at most once in
/// [#INTERVAL] for each key the time is also written, together with whatever is written next. A
/// server that is killed forgets uses of the last interval.
final class LastUses {
    /// How far the stored time may lag behind.
    static final Duration INTERVAL = Duration.ofMinutes(1);

    /// Milliseconds since the epoch.
    ///
    /// @param stored of the use that was written last
    private record Use(long latest, long stored) {}

    private final Store store;
    private final Clock clock;

    /// By the id of the key. Holds only keys that exist, so its size is theirs.
    private final Map<String, Use> uses = new ConcurrentHashMap<>();

    LastUses(Store store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /// The holder of a key is admitted now.
    void note(String id) {
        var now = clock.millis();
        var use = uses.get(id);
        if (use == null || use.latest() != now) {
            uses.compute(id, (_, before) -> noted(id, before, now));
        }
    }

    private Use noted(String id, @Nullable Use before, long now) {
        if (before == null || now - before.stored() >= INTERVAL.toMillis()) {
            return new Use(now, isWritten(id, now) ? now : 0);
        }
        return new Use(Math.max(now, before.latest()), before.stored());
    }

    /// @return false when the store has no room for it now: the next use tries again
    private boolean isWritten(String id, long now) {
        try {
            var _ = store.soon(transaction -> write(transaction, id, now));
            return true;
        } catch (Refusal _) {
            return false;
        }
    }

    /// By the id of the key; keys that were never used are absent. Uses by other servers on this
    /// database are as they were stored.
    Map<String, Instant> all() {
        var all = new HashMap<String, Instant>(store.read(LastUses::read));
        uses.forEach((id, use) -> all.merge(id, moment(use.latest()), LastUses::later));
        return all;
    }

    private static int write(Transaction transaction, String id, long at) {
        return transaction.execute(
                "INSERT INTO key_use (key_id, last_used_at) VALUES (?, ?)"
                        + " ON CONFLICT (key_id) DO UPDATE SET last_used_at = excluded.last_used_at"
                        + " WHERE key_use.last_used_at < excluded.last_used_at",
                id,
                at);
    }

    private static Map<String, Instant> read(Transaction transaction) {
        var stored = new HashMap<String, Instant>();
        transaction
                .query("SELECT key_id, last_used_at FROM key_use")
                .numbers("key_id", "last_used_at")
                .forEach((id, at) -> stored.put(id, moment(at)));
        return stored;
    }

    private static Instant moment(long millis) {
        return Instant.ofEpochMilli(millis);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
