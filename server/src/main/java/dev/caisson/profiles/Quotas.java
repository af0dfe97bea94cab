package dev.caisson.profiles;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.store.Store;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Counters of the quotas of keys. A check costs no more than a look into memory: what is used is
/// written once in a second by [ProfileWatch], which reads at the same time what other servers on
/// this database have written. So within one server a quota is exact; between servers it may be
/// passed by what they allow within two seconds; and a server that is killed forgets the last
/// second.
///
/// Only quotas that a profile has are counted, from the moment it has them.
public final class Quotas {
    private final Store store;
    private final Clock clock;
    private final Map<String, Map<Quota, QuotaCounter>> callers = new ConcurrentHashMap<>();

    public Quotas(Store store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    private final class Counted implements CountedRun {
        private final String caller;
        private final ProfileQuotas quotas;

        private Counted(String caller, ProfileQuotas quotas) {
            this.caller = caller;
            this.quotas = quotas;
        }

        @Override
        public void giveBack() {
            add(caller, quotas, Quota.RUNS_PER_MINUTE, -1);
        }

        @Override
        public void ended(long cpuMillis, long bytes) {
            add(caller, quotas, Quota.CPU_SECONDS_PER_DAY, cpuMillis);
            add(caller, quotas, Quota.BYTES_PER_DAY, bytes);
        }
    }

    /// Counts a run before it begins.
    ///
    /// @throws Refusal QUOTA_EXCEEDED when a quota is used up
    public CountedRun begin(Caller caller, ProfileQuotas quotas) {
        if (quotas.equals(ProfileQuotas.NONE)) {
            return CountedRun.FREE;
        }
        var counters = counters(caller.id());
        synchronized (counters) {
            for (var quota : Quota.values()) {
                require(caller.id(), counters, quotas, quota, 1);
            }
            if (quotas.runsPerMinute().isPresent()) {
                counter(caller.id(), counters, Quota.RUNS_PER_MINUTE).add(1);
            }
        }
        return new Counted(caller.id(), quotas);
    }

    /// Counts bytes that a caller stores.
    ///
    /// @throws Refusal QUOTA_EXCEEDED when they are more than is left
    public void store(Caller caller, ProfileQuotas quotas, long bytes) {
        if (quotas.bytesPerDay().isPresent()) {
            var counters = counters(caller.id());
            synchronized (counters) {
                require(caller.id(), counters, quotas, Quota.BYTES_PER_DAY, Math.max(1, bytes));
                counter(caller.id(), counters, Quota.BYTES_PER_DAY).add(bytes);
            }
        }
    }

    /// What a caller used of a quota in the present period.
    public long used(Caller caller, Quota quota) {
        var counters = counters(caller.id());
        synchronized (counters) {
            return counter(caller.id(), counters, quota).used();
        }
    }

    private void add(String caller, ProfileQuotas quotas, Quota quota, long amount) {
        if (quotas.limit(quota).isPresent() && amount != 0) {
            var counters = counters(caller);
            synchronized (counters) {
                counter(caller, counters, quota).add(amount);
            }
        }
    }

    private Map<Quota, QuotaCounter> counters(String caller) {
        return callers.computeIfAbsent(caller, _ -> new EnumMap<>(Quota.class));
    }

    /// The counter of the present period.
    private QuotaCounter counter(String caller, Map<Quota, QuotaCounter> counters, Quota quota) {
        var counter = counters.computeIfAbsent(quota, QuotaCounter::new);
        var now = clock.instant();
        if (counter.isUnread(now)) {
            long period = quota.periodOf(now);
            counter.read(now, store.read(handle -> QuotaRows.used(handle, caller, quota, period)));
        }
        return counter;
    }

    private void require(
            String caller,
            Map<Quota, QuotaCounter> counters,
            ProfileQuotas quotas,
            Quota quota,
            long amount) {
        var limit = quotas.limit(quota);
        if (limit.isPresent()) {
            long used = counter(caller, counters, quota).used();
            if (used + amount > limit.get()) {
                throw refusal(quota, limit.get(), clock.instant());
            }
        }
    }

    private static Refusal refusal(Quota quota, long limit, Instant now) {
        var free = quota.free(now);
        long seconds = Math.max(1, Duration.between(now, free).plusMillis(999).toSeconds());
        return new Refusal(
                Reason.QUOTA_EXCEEDED,
                "This key has used its quota of %s. It may go on at %s, in %d s; the server's operator can raise the quota in the profile of the key."
                        .formatted(quota.words(limit), free, seconds),
                Map.of(
                        "quota",
                        quota.word(),
                        "free_at",
                        free.toString(),
                        Refusal.RETRY_AFTER_SECONDS,
                        seconds));
    }

    /// Writes what was used, and reads what others used.
    public void flush() {
        callers.forEach(this::flush);
    }

    private void flush(String caller, Map<Quota, QuotaCounter> counters) {
        List<QuotaCounter> touched;
        synchronized (counters) {
            touched = counters.values().stream().filter(QuotaCounter::takeTouched).toList();
        }
        for (var counter : touched) {
            flush(caller, counters, counter);
        }
    }

    /// What cannot be written now is written the next time.
    private void flush(String caller, Map<Quota, QuotaCounter> counters, QuotaCounter counter) {
        QuotaCounter.Unwritten amount;
        synchronized (counters) {
            amount = counter.unwritten();
        }
        try {
            long used =
                    store.write(handle -> {
                        QuotaRows.add(
                                handle, caller, counter.quota(), amount.period(), amount.amount());
                        return QuotaRows.used(handle, caller, counter.quota(), amount.period());
                    });
            synchronized (counters) {
                counter.written(amount, used);
            }
        } catch (RuntimeException failed) {
            synchronized (counters) {
                counter.add(0);
            }
            throw failed;
        }
    }

    /// Removes what is counted no more, here and in the store.
    ///
    /// @return how many rows
    public int sweep() {
        var now = clock.instant();
        long day = Quota.CPU_SECONDS_PER_DAY.periodOf(now);
        callers.values()
                .removeIf(counters -> {
                    synchronized (counters) {
                        return counters.values().stream().allMatch(one -> one.isUnread(now));
                    }
                });
        return store.write(handle -> QuotaRows.removeBefore(handle, day));
    }
}
