package dev.caisson.executions;

import dev.caisson.store.Store;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// Search for a page of executions, the newest first, step by step: each step looks at a few of
/// them, so that nobody else waits long for the database. When it has taken its time, it ends with
/// what it has found, and the next page goes on from there.
public final class ExecutionScan {
    /// How long one scan computes.
    static final Duration TIME_MAX = Duration.ofSeconds(2);

    /// How much one step may have to read.
    static final long STEP_BYTES = 1 << 20;

    static final int STEP_ROWS = 200;

    private final Store store;
    private final Optional<String> owner;
    private final ExecutionFilter filter;
    private final int size;
    private final long nanosMax;
    private final Deque<Head> heads = new ArrayDeque<>();
    private final List<ListedExecution> found = new ArrayList<>();
    private Optional<Cursor> after;
    private long nanos;
    private boolean cut;

    /// What is known of an execution before it is looked at.
    record Head(Cursor cursor, long bytes) {}

    ExecutionScan(
            Store store,
            Optional<String> owner,
            ExecutionFilter filter,
            Optional<Cursor> after,
            int size,
            Duration timeMax) {
        this.store = store;
        this.owner = owner;
        this.filter = filter;
        this.after = after;
        this.size = size;
        this.nanosMax = timeMax.toNanos();
    }

    /// @return whether there is another step
    public boolean next() {
        long begun = System.nanoTime();
        var more = step();
        nanos += System.nanoTime() - begun;
        cut = more && nanos > nanosMax;
        return more && !cut;
    }

    private boolean step() {
        if (filter.equals(ExecutionFilter.ALL)) {
            look(Optional.empty());
            return false;
        }
        if (heads.isEmpty()) {
            heads.addAll(store.read(handle -> SummaryRows.heads(handle, owner, after, STEP_ROWS)));
        }
        if (heads.isEmpty()) {
            return false;
        }
        var last = takeSome();
        look(Optional.of(last));
        after = Optional.of(last);
        return found.size() <= size;
    }

    /// At least one, and as many as may be read in one step.
    private Cursor takeSome() {
        var last = heads.remove();
        var bytes = last.bytes();
        while (!heads.isEmpty() && bytes + heads.element().bytes() <= STEP_BYTES) {
            last = heads.remove();
            bytes += last.bytes();
        }
        return last.cursor();
    }

    private void look(Optional<Cursor> last) {
        var atMost = size + 1 - found.size();
        found.addAll(
                store.read(handle -> SummaryRows.list(handle, owner, filter, after, last, atMost)));
    }

    public ExecutionPage page() {
        if (found.size() > size) {
            var page = found.subList(0, size);
            return new ExecutionPage(page, Optional.of(Cursor.behind(page.getLast()).text()));
        }
        return new ExecutionPage(found, cut ? after.map(Cursor::text) : Optional.empty());
    }
}
