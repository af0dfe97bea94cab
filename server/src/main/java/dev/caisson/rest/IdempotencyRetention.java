package dev.caisson.rest;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.http.ErrorBody;
import dev.caisson.rest.runs.IdempotencyRecord;
import dev.caisson.rest.runs.IdempotencyRows;
import dev.caisson.share.Budget;
import dev.caisson.store.Store;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Retention of requests that were made with an `Idempotency-Key`. An answer that is given up
/// leaves its key, so that the program does not run again, and the execution where the result can
/// be read.
public final class IdempotencyRetention {
    /// How many one transaction forgets, so that others do not wait long.
    public static final int SWEEP_BATCH = 500;

    /// After so many keys of a caller all are counted again, for other processes take some too.
    private static final long COUNTED_EVERY = 1_000;

    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final Store store;
    private final IdempotencyLimits limits;
    private final Clock clock;
    private final Budget budget;
    private final Map<String, Allowance> allowances = new ConcurrentHashMap<>();

    public IdempotencyRetention(Store store, IdempotencyLimits limits, Clock clock) {
        this.store = store;
        this.limits = limits;
        this.clock = clock;
        this.budget = new Budget(limits.bytesMax(), new Given(store));
    }

    /// Everything made before that may be forgotten.
    public Instant forgettable() {
        return clock.instant().minus(limits.age());
    }

    public void added(long bytes) {
        budget.added(bytes);
    }

    /// How many keys may be taken before they are counted again.
    ///
    /// @param until when it holds, if there are none
    private record Allowance(long left, Instant until) {
        boolean holds(Instant now) {
            return left > 0 || now.isBefore(until);
        }

        Allowance less() {
            return new Allowance(left - 1, until);
        }
    }

    /// Whether the caller may take another key.
    public boolean hasRoom(String owner) {
        var now = clock.instant();
        var before = allowances.get(owner);
        var allowance = before != null && before.holds(now) ? before : counted(owner, now);
        allowances.put(owner, allowance.less());
        return allowance.left() > 0;
    }

    public Refusal refusal() {
        return new Refusal(
                Reason.NO_CAPACITY,
                "%d Idempotency-Keys of this key are remembered, which is the maximum (keep.answers_max). Leave out the header, or wait until older ones are forgotten."
                        .formatted(limits.keysMax()),
                Map.of("share", "answers", "retry_after_seconds", PAUSE.toSeconds()));
    }

    private Allowance counted(String owner, Instant now) {
        var count = store.read(handle -> IdempotencyRows.count(handle, owner));
        var left = Math.min(COUNTED_EVERY, limits.keysMax() - count);
        return left > 0 ? new Allowance(left, now) : new Allowance(0, now.plus(PAUSE));
    }

    /// Forgets keys that are too old, and gives up answers that take too much room.
    ///
    /// @return how many
    public int sweep() {
        var before = forgettable();
        var total = 0;
        int forgotten;
        do {
            forgotten = store.write(handle -> IdempotencyRows.forget(handle, before, SWEEP_BATCH));
            total += forgotten;
        } while (forgotten == SWEEP_BATCH);
        return total + budget.sweep();
    }

    private record Given(Store store) implements Budget.Kept {
        @Override
        public Map<String, Long> bytes() {
            return store.read(IdempotencyRows::bytes);
        }

        @Override
        public int giveUp(String owner, long bytes) {
            var total = 0;
            for (var left = bytes; left > 0; ) {
                var some = left;
                var old =
                        store.write(
                                handle -> IdempotencyRows.giveUp(handle, owner, some, Given::gone));
                if (old.isEmpty()) {
                    break;
                }
                left -= old.stream().mapToLong(IdempotencyRows.Old::bytes).sum();
                total += old.size();
            }
            return total;
        }

        private static IdempotencyRecord.Answer gone(String executionId) {
            var message =
                    "This request was carried out, but its answer is not kept any more: this key"
                            + " keeps too many. GET /v1/executions/"
                            + executionId
                            + " says how it ended.";
            return new IdempotencyRecord.Answer(
                    410, ErrorBody.of("gone", message).about(executionId).tree());
        }
    }
}
