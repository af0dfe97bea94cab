package dev.caisson.acceptance.bench.warm;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/// Every row and every bare process once per round, in an order that changes.
final class Interleaved {
    /// How long the pool may take until it is full again; then one goes on without.
    private static final Duration REFILL_MAX = Duration.ofSeconds(20);

    private final Client warm;
    private final Client cold;
    private final Map<Row.Bare, Times> bare = new EnumMap<>(Row.Bare.class);
    private final Map<Row, Times> rows = new LinkedHashMap<>();
    private final AtomicInteger missed = new AtomicInteger();

    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    Interleaved(Client warm, Client cold) {
        this.warm = warm;
        this.cold = cold;
        for (var each : Row.Bare.values()) {
            bare.put(each, new Times());
        }
        Row.all().forEach(row -> rows.put(row, new Times()));
    }

    void play(int rounds, boolean counts) throws IOException, InterruptedException {
        for (int round = 0; round < rounds; round++) {
            var steps = new ArrayList<Step>();
            bare.forEach(
                    (which, times) -> steps.add(() -> note(times, Bareness.nanos(which), counts)));
            rows.forEach((row, times) -> steps.add(() -> measure(row, times, counts)));
            Collections.shuffle(steps);
            for (var step : steps) {
                step.run();
            }
        }
    }

    private static void note(Times times, long nanos, boolean counts) {
        if (counts) {
            times.add(nanos);
        }
    }

    private void measure(Row row, Times times, boolean counts)
            throws IOException, InterruptedException {
        awaitFull();
        var timed = (row.cold() ? cold : warm).execute(row);
        if (!timed.isGood()) {
            throw new IOException(row.name() + ": " + timed.report());
        }
        if (timed.isWarm() == row.cold()) {
            missed.incrementAndGet();
        } else {
            note(times, timed.nanos(), counts);
        }
    }

    /// What is measured is a run that finds a sandbox; how many did not is told.
    void awaitFull() throws IOException, InterruptedException {
        long end = System.nanoTime() + REFILL_MAX.toNanos();
        while (!isFull() && System.nanoTime() - end < 0) {
            Thread.sleep(5);
        }
    }

    private boolean isFull() throws IOException {
        var ready = warm.metric("caisson_pool_ready");
        var target = warm.metric("caisson_pool_target");
        return !ready.isEmpty()
                && ready.entrySet().stream()
                        .allMatch(one ->
                                one.getValue() > 0
                                        && one.getValue()
                                                >= target.getOrDefault(one.getKey(), 0.0));
    }

    Times of(Row row) {
        return Objects.requireNonNull(rows.get(row));
    }

    Times of(Row.Bare which) {
        return Objects.requireNonNull(bare.get(which));
    }

    /// Runs that did not start as their row says; they are in no figure.
    int missed() {
        return missed.get();
    }

    List<Row> rows() {
        return List.copyOf(rows.keySet());
    }
}
