package dev.caisson.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Consumer;

/// Walk through recorded calls, the newest first, step by step and within limits.
public final class HistoryWalk {
    /// How many calls one walk looks at.
    public static final int CALLS_MAX = 10_000;

    /// How far back it may go.
    public static final int DAYS_MAX = 90;

    /// How long it may work.
    static final Duration TIME_MAX = Duration.ofSeconds(20);

    private final CallHistory.Pages pages;
    private final Consumer<PastCall> each;
    private Iterator<PastCall> page = Collections.emptyIterator();
    private int calls;
    private long nanos;
    private boolean complete;
    private Optional<Instant> oldest = Optional.empty();

    HistoryWalk(CallHistory.Pages pages, Consumer<PastCall> each) {
        this.pages = pages;
        this.each = each;
    }

    /// Looks at the next call.
    ///
    /// @return whether there may be another one
    public boolean next() {
        long began = System.nanoTime();
        if (!page.hasNext()) {
            page = pages.next().iterator();
            complete = !page.hasNext();
        }
        if (complete || calls >= CALLS_MAX || nanos > TIME_MAX.toNanos()) {
            return false;
        }
        var call = page.next();
        each.accept(call);
        calls++;
        oldest = Optional.of(call.at());
        nanos += System.nanoTime() - began;
        return true;
    }

    /// @param calls how many were looked at
    /// @param oldest when the oldest of them began
    /// @param complete whether these were all there are
    public record Reach(int calls, Optional<Instant> oldest, boolean complete) {}

    /// How far it came.
    public Reach reach() {
        return new Reach(calls, oldest, complete);
    }
}
