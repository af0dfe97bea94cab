package dev.caisson.upstream;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.CallRecorder;
import dev.caisson.broker.NormalResult;
import dev.caisson.broker.RecordedCall;
import dev.caisson.broker.RecordedCall.Ending;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolResult;
import dev.caisson.call.Call;
import dev.caisson.call.Durable;
import dev.caisson.store.Store;
import dev.caisson.stubs.Learned;
import dev.caisson.stubs.Shapes;
import dev.caisson.telemetry.Metrics;
import dev.caisson.upstream.ShapeRows.Kept;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// Types of results that are learned from calls, for tools that declare none, of upstreams whose
/// entries say `learn: true`: which members come, of which types, how often null. Never a value.
///
/// Stubs say what is learned after five results, and what is learned since every ten minutes:
/// programs do not find other files after every call. A result with a member or a type that was not
/// in the 50 before it is drift, which its caller's report, the metrics and the catalogue name.
public final class LearnedTypes implements CallRecorder, Learned, AutoCloseable {
    /// From a larger result nothing is learned.
    static final long RESULT_BYTES_MAX = 256 << 10;

    /// Tools that are known at a time; what was learned of others is in the database.
    static final int TOOLS_MAX = 2_000;

    static final Duration TOLD_EVERY = Duration.ofMinutes(10);

    /// How long what was learned stays of a tool that nobody calls.
    static final Duration KEPT = Duration.ofDays(30);

    private final CallRecorder next;
    private final Store store;
    private final Clock clock;
    private final Predicate<ToolOrigin> learns;
    private final Metrics metrics;
    private volatile Optional<Durable> last = Optional.empty();
    private final Map<ShapeRows.Key, Known> known = new LinkedHashMap<>(16, 0.75f, true);

    /// @param next is told first
    /// @param learns of which tools
    public LearnedTypes(
            CallRecorder next,
            Store store,
            Clock clock,
            Predicate<ToolOrigin> learns,
            Metrics metrics) {
        this.next = next;
        this.store = store;
        this.clock = clock;
        this.learns = learns;
        this.metrics = metrics;
    }

    private static final class Known {
        Kept kept;
        Optional<Shapes> told;
        Instant toldAt;
        boolean saved = true;

        Known(Kept kept, Instant now) {
            this.kept = kept;
            this.told = kept.shape().schema().map(_ -> kept.shape());
            this.toldAt = now;
        }
    }

    @Override
    public void begins(Call call, ActionRequest request) {
        next.begins(call, request);
    }

    @Override
    public void record(RecordedCall call) {
        next.record(call);
        var origin = call.origin().filter(tool -> !tool.isOwn());
        if (origin.isPresent()
                && call.ending().equals(new Ending.Answered(false))
                && learns.test(origin.get())) {
            var drift = call.result().map(result -> learn(origin.get(), result)).orElse(List.of());
            call.notes().drifted(drift);
        }
    }

    /// @return what was not in the results before
    private List<String> learn(ToolOrigin tool, ToolResult result) {
        if (result.bytes() > RESULT_BYTES_MAX) {
            return List.of();
        }
        var value = NormalResult.of(result).data();
        List<String> drift;
        synchronized (this) {
            var one = known(tool);
            var learned = one.kept.shape().with(value);
            drift = learned.drift();
            var moment = drift.isEmpty() ? one.kept.drifted() : Optional.of(clock.instant());
            one.kept = new Kept(learned.shape(), moment);
            one.saved = false;
            tell(keyOf(tool), one);
        }
        if (!drift.isEmpty()) {
            metrics.toolDrift().labelValues(tool.server()).inc();
        }
        return drift.stream().map(change -> tool.qualifiedName() + ": " + change).toList();
    }

    /// Stubs say from now on what is learned, and so does the database.
    private void tell(ShapeRows.Key key, Known one) {
        boolean first = one.told.isEmpty() && one.kept.shape().schema().isPresent();
        var now = clock.instant();
        if (first || (one.told.isPresent() && !one.toldAt.plus(TOLD_EVERY).isAfter(now))) {
            one.told = Optional.of(one.kept.shape());
            one.toldAt = now;
            save(key, one);
        }
    }

    private void save(ShapeRows.Key key, Known one) {
        one.saved = true;
        var kept = one.kept;
        var now = clock.instant();
        last =
                Optional.of(
                        store.soon(handle -> {
                            ShapeRows.put(handle, key, kept, now);
                            return key;
                        }));
    }

    private static ShapeRows.Key keyOf(ToolOrigin tool) {
        return new ShapeRows.Key(tool.server(), tool.function(), tool.definitionHash());
    }

    private Known known(ToolOrigin tool) {
        var key = keyOf(tool);
        var one = known.get(key);
        if (one == null) {
            one = new Known(store.read(handle -> ShapeRows.find(handle, key)), clock.instant());
            known.put(key, one);
            forget();
        }
        return one;
    }

    private void forget() {
        var oldest = known.entrySet().iterator();
        while (known.size() > TOOLS_MAX && oldest.hasNext()) {
            var entry = oldest.next();
            if (!entry.getValue().saved) {
                save(entry.getKey(), entry.getValue());
            }
            oldest.remove();
        }
    }

    @Override
    public Optional<Shapes> of(ToolOrigin tool) {
        if (tool.isOwn() || !learns.test(tool)) {
            return Optional.empty();
        }
        synchronized (this) {
            return known(tool).told;
        }
    }

    @Override
    public synchronized Optional<Instant> drifted(ToolOrigin tool) {
        return tool.isOwn() || !learns.test(tool) ? Optional.empty() : known(tool).kept.drifted();
    }

    /// Writes what is not in the database, and removes what nobody needs.
    ///
    /// @return how much was removed
    public int sweep() {
        save();
        var before = clock.instant().minus(KEPT);
        return store.write(handle -> ShapeRows.deleteBefore(handle, before));
    }

    /// Returns when it is written.
    private void save() {
        last.ifPresent(Durable::await);
        var unsaved = unsaved();
        var now = clock.instant();
        if (!unsaved.isEmpty()) {
            store.write(handle -> {
                unsaved.forEach((key, kept) -> ShapeRows.put(handle, key, kept, now));
                return unsaved.size();
            });
        }
    }

    private synchronized Map<ShapeRows.Key, Kept> unsaved() {
        var unsaved = new LinkedHashMap<ShapeRows.Key, Kept>();
        known.forEach((key, one) -> {
            if (!one.saved) {
                one.saved = true;
                unsaved.put(key, one.kept);
            }
        });
        return unsaved;
    }

    @Override
    public void close() {
        save();
    }
}
