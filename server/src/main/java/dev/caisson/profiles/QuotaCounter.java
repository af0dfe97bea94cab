package dev.caisson.profiles;

import java.time.Instant;

/// Counter of what one caller used of one quota in the present period: what the store has, of all
/// servers, and what this server has not written yet. Guarded by the lock of its caller in
/// [Quotas].
final class QuotaCounter {
    /// An amount of a period that is being written.
    record Unwritten(long period, long amount) {}

    private final Quota quota;
    private long period = -1;
    private long stored;
    private long unwritten;
    private boolean touched;

    QuotaCounter(Quota quota) {
        this.quota = quota;
    }

    Quota quota() {
        return quota;
    }

    /// Whether it must be read from the store before it counts.
    boolean isUnread(Instant now) {
        return period != quota.periodOf(now);
    }

    /// Begins a period.
    ///
    /// @param used so far, by all servers
    void read(Instant now, long used) {
        period = quota.periodOf(now);
        stored = used;
        unwritten = 0;
    }

    long used() {
        return stored + unwritten;
    }

    void add(long amount) {
        unwritten += amount;
        touched = true;
    }

    /// Whether something happened since the last time this was asked.
    boolean takeTouched() {
        var was = touched;
        touched = false;
        return was;
    }

    Unwritten unwritten() {
        return new Unwritten(period, unwritten);
    }

    /// An amount was written.
    ///
    /// @param used after that, by all servers
    void written(Unwritten done, long used) {
        if (done.period() == period) {
            unwritten -= done.amount();
            stored = used;
        }
    }
}
