package dev.caisson.policy;

import dev.caisson.call.Durable;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ToolErrorType;
import dev.caisson.policy.UseRows.Used;
import dev.caisson.store.Store;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Counters of what keys use of rules with a rate or a budget. Within one server they are exact,
/// also over a restart: a call is answered when what it used is durable. Servers on one database
/// begin with what all of them have used when each of them counts a key for the first time in a
/// period, and then count for themselves.
final class UseCounters {
    /// What nobody asks for any more.
    private static final Duration OLD = Duration.ofDays(2);

    private final Store store;
    private final Clock clock;
    private final Map<Of, Use> uses = new ConcurrentHashMap<>();

    UseCounters(Store store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    private record Of(String caller, String rule) {}

    private record Counted(long began, Used used) {}

    private static final class Use {
        private final Map<Period, Counted> periods = new EnumMap<>(Period.class);
    }

    /// Counts a call before it is made.
    ///
    /// @return what is durable before it is answered
    /// @throws Refusal when a limit is reached
    Durable take(String caller, Rule rule) {
        var of = new Of(caller, rule.name());
        var use = uses.computeIfAbsent(of, _ -> new Use());
        Instant now;
        synchronized (use) {
            now = clock.instant();
            for (var limit : rule.limits()) {
                require(rule, limit, used(of, use, limit.period(), now), now);
            }
            count(use, periods(rule), now, new Used(1, 0));
        }
        return written(of, periods(rule), now, new Used(1, 0));
    }

    /// Counts what a call gave.
    Durable gave(String caller, Rule rule, long bytes) {
        if (bytes == 0
                || rule.limits().stream()
                        .noneMatch(limit -> limit.kind() == UseLimit.Kind.RESULT_BYTES)) {
            return Durable.NOW;
        }
        var of = new Of(caller, rule.name());
        var use = uses.computeIfAbsent(of, _ -> new Use());
        var more = new Used(0, bytes);
        Instant now;
        synchronized (use) {
            now = clock.instant();
            for (var period : periods(rule)) {
                used(of, use, period, now);
            }
            count(use, periods(rule), now, more);
        }
        return written(of, periods(rule), now, more);
    }

    private static Set<Period> periods(Rule rule) {
        var periods = EnumSet.noneOf(Period.class);
        rule.limits().forEach(limit -> periods.add(limit.period()));
        return periods;
    }

    private Used used(Of of, Use use, Period period, Instant now) {
        long began = period.begin(now);
        var counted = use.periods.get(period);
        if (counted == null || counted.began() != began) {
            counted =
                    new Counted(
                            began,
                            store.read(handle ->
                                    UseRows.used(handle, of.caller(), of.rule(), period, began)));
            use.periods.put(period, counted);
        }
        return counted.used();
    }

    private static void count(Use use, Set<Period> periods, Instant now, Used more) {
        for (var period : periods) {
            use.periods.computeIfPresent(
                    period,
                    (_, counted) -> new Counted(period.begin(now), counted.used().plus(more)));
        }
    }

    private Durable written(Of of, Set<Period> periods, Instant now, Used more) {
        return store.soon(handle -> {
            for (var period : periods) {
                UseRows.add(handle, of.caller(), of.rule(), period, period.begin(now), more);
            }
            return more;
        });
    }

    private static void require(Rule rule, UseLimit limit, Used used, Instant now) {
        var have = limit.kind() == UseLimit.Kind.RESULT_BYTES ? used.resultBytes() : used.calls();
        if (have >= limit.most()) {
            throw reached(rule, limit, now);
        }
    }

    private static Refusal reached(Rule rule, UseLimit limit, Instant now) {
        var free = limit.period().end(now);
        var seconds = Math.max(1, Duration.between(now, free).plusMillis(999).toSeconds());
        if (limit.kind() == UseLimit.Kind.RATE) {
            return Refusal.of(
                    ToolErrorType.RATE_LIMIT,
                    Reason.QUOTA_EXCEEDED,
                    "This key has made the calls that the rule %s of the policy allows (%s). Try again in %d s."
                            .formatted(rule.name(), limit.text(), seconds),
                    Map.of(
                            "rule",
                            rule.name(),
                            "rate",
                            limit.text(),
                            Refusal.RETRY_AFTER_SECONDS,
                            seconds));
        }
        return Refusal.of(
                ToolErrorType.BUDGET,
                Reason.QUOTA_EXCEEDED,
                "This key has used the budget of %s that the rule %s of the policy gives it (%s). It begins anew at %s; an operator can raise it."
                        .formatted(
                                limit.kind() == UseLimit.Kind.CALLS ? "calls" : "result bytes",
                                rule.name(),
                                limit.text(),
                                free),
                Map.of(
                        "rule",
                        rule.name(),
                        "budget",
                        limit.text(),
                        "free_at",
                        free.toString(),
                        Refusal.RETRYABLE,
                        false));
    }

    /// Forgets what is counted no more, here and in the store.
    ///
    /// @return how many rows
    int sweep() {
        var old = clock.instant().minus(OLD);
        uses.values()
                .removeIf(use -> {
                    synchronized (use) {
                        return !use.periods.isEmpty()
                                && use.periods.values().stream()
                                        .allMatch(counted -> counted.began() < old.toEpochMilli());
                    }
                });
        return store.write(handle -> UseRows.deleteBefore(handle, old));
    }
}
