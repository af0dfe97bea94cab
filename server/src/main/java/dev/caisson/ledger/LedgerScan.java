package dev.caisson.ledger;

import dev.caisson.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// Search for a page of ledger entries, the newest first, step by step: each step looks at a few of
/// them, so that nobody else waits long for the database. After its time it ends with what it has
/// found, and the next page goes on from there.
public final class LedgerScan {
    /// How long one scan may take.
    static final Duration TIME_MAX = Duration.ofSeconds(2);

    /// How many entries one step looks at.
    static final int STEP_ENTRIES = 2_000;

    private final Store store;
    private final LedgerFilter filter;
    private final int size;
    private final long nanosMax;
    private final List<LinkedEntry> found = new ArrayList<>();

    /// All entries from here on were looked at.
    private long from;

    private boolean begun;
    private boolean cut;
    private long nanos;

    LedgerScan(Store store, LedgerFilter filter, OptionalLong before, int size, Duration timeMax) {
        if (size < 1 || size > Ledger.PAGE_MAX) {
            throw new IllegalArgumentException("a page has 1 to " + Ledger.PAGE_MAX + " entries");
        }
        this.store = store;
        this.filter = filter;
        this.size = size;
        this.nanosMax = timeMax.toNanos();
        this.from = before.orElse(Long.MAX_VALUE);
    }

    /// @return whether there is another step
    public boolean next() {
        long start = System.nanoTime();
        boolean more = step();
        nanos += System.nanoTime() - start;
        cut = more && nanos > nanosMax;
        return more && !cut;
    }

    private boolean step() {
        if (!begun) {
            begun = true;
            from = Math.min(from, store.read(LedgerRows::last) + 1);
        }
        long lowest = Math.max(1, from - STEP_ENTRIES);
        int atMost = size + 1 - found.size();
        found.addAll(
                store.read(handle -> LedgerRows.between(handle, filter, lowest, from, atMost)));
        from = lowest;
        return found.size() <= size && from > 1;
    }

    public LedgerPage page() {
        if (found.size() > size) {
            var page = found.subList(0, size);
            return new LedgerPage(page, OptionalLong.of(page.getLast().sequence()));
        }
        return new LedgerPage(found, cut ? OptionalLong.of(from) : OptionalLong.empty());
    }
}
