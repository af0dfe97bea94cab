package dev.caisson.ledger;

import dev.caisson.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Usage: sums over the ledger by day, caller and tool. Entries are summed up once each, some time
/// after they were made and at the latest when somebody asks: no call waits for it, and no sum is
/// lost when the server dies.
public final class LedgerUsage {
    /// Entries of one step.
    static final int STEP_ENTRIES = 5_000;

    private static final Duration ASKED_MAX = Duration.ofSeconds(2);
    private static final Duration CHORE_MAX = Duration.ofSeconds(30);

    private final Store store;

    public LedgerUsage(Store store) {
        this.store = store;
    }

    /// Sums, and how far they go.
    ///
    /// @param until when the last call was made that is in them
    /// @param complete whether every call is that was recorded when they were asked for
    public record Sums(List<UsageSum> groups, Optional<Instant> until, boolean complete) {
        public Sums {
            groups = List.copyOf(groups);
        }
    }

    /// @param from how many groups are passed over
    public Sums sums(UsageQuery query, long from, int limit) {
        boolean complete = catchUp(ASKED_MAX);
        return store.read(handle ->
                new Sums(
                        UsageRows.sums(handle, query, from, limit),
                        UsageRows.head(handle).at(),
                        complete));
    }

    /// Sums up what is not yet.
    ///
    /// @return how many entries were
    public int catchUp() {
        long before = store.read(UsageRows::head).sequence();
        catchUp(CHORE_MAX);
        return Math.toIntExact(store.read(UsageRows::head).sequence() - before);
    }

    /// @return whether everything is summed up
    private boolean catchUp(Duration atMost) {
        store.settle();
        long last = store.read(LedgerRows::last);
        long end = System.nanoTime() + atMost.toNanos();
        long after = store.read(UsageRows::head).sequence();
        while (after < last) {
            if (System.nanoTime() > end) {
                return false;
            }
            long from = after;
            long to = Math.min(last, after + STEP_ENTRIES);
            store.write(handle -> {
                UsageRows.add(handle, from, to);
                return to;
            });
            after = store.read(UsageRows::head).sequence();
        }
        return true;
    }
}
