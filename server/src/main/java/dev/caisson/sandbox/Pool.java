package dev.caisson.sandbox;

import dev.caisson.telemetry.Metrics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sandboxes that are locked and booted before their run is asked for: every layer is in place, the
/// interpreter is up, and its guest waits for one job. Whoever takes one has it for one run and
/// ends it; none ever comes back.
///
/// How many wait follows demand, within a budget of memory; they are made on a few threads of their
/// own, and weigh as much for the processor as one caller does. One that died or grew old is
/// replaced before anybody meets it. Changed runners empty the pool.
final class Pool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Pool.class);

    /// How many shapes there may be sandboxes for; the ones asked for longest ago go.
    private static final int SHELVES_MAX = 64;

    /// One that is making a sandbox meanwhile may not notice; the sandbox dies with us.
    private static final Duration CLOSE_MAX = Duration.ofSeconds(10);

    private static final Duration TICK = Duration.ofSeconds(1);

    private final Preparation preparation;
    private final PoolSettings settings;
    private final int most;
    private final Metrics metrics;
    private final Map<Shape, Shelf> shelves = new LinkedHashMap<>();
    private final Deque<Prepared> useless = new ArrayDeque<>();
    private final List<Thread> refillers = new ArrayList<>();
    private boolean closed;

    /// @param most of a shape that could ever be wanted at once
    Pool(Preparation preparation, PoolSettings settings, int most, Metrics metrics) {
        this.preparation = preparation;
        this.settings = settings;
        this.most = most;
        this.metrics = metrics;
    }

    /// A sandbox that waits for such a run; empty when none does. Never waits itself.
    ///
    /// @param busy whether the caller has other runs now: the last ones that wait are for those who
    ///   have none
    Optional<Prepared> take(Runner runner, Boot boot, Limits limits, boolean busy) {
        if (!isUsed()) {
            return Optional.empty();
        }
        var taken = poll(runner, boot, limits, busy);
        while (taken.isPresent() && !taken.get().sandbox().isWaiting()) {
            discard(taken.get());
            taken = poll(runner, boot, limits, busy);
        }
        metrics.poolTakes().labelValues(runner.name(), taken.isPresent() ? "hit" : "miss").inc();
        return taken;
    }

    private boolean isUsed() {
        return settings.memoryBytes() > 0 && preparation.attachesLater();
    }

    private synchronized Optional<Prepared> poll(
            Runner runner, Boot boot, Limits limits, boolean busy) {
        if (closed) {
            return Optional.empty();
        }
        long now = System.nanoTime();
        var shelf =
                shelves.computeIfAbsent(
                        Shape.of(runner, boot, limits),
                        _ -> new Shelf(runner.name(), boot, limits, false, now));
        var taken = busy && shelf.isLow() ? Optional.<Prepared>empty() : shelf.poll();
        if (taken.isPresent()) {
            shelf.taken(now, most);
        } else {
            shelf.missed(now, most);
        }
        notifyAll();
        return taken;
    }

    private synchronized void discard(Prepared dead) {
        useless.add(dead);
        notifyAll();
    }

    /// From now on sandboxes of these runners wait, and none of what was before.
    synchronized void offer(Runners runners) {
        drain();
        if (closed || !isUsed()) {
            return;
        }
        long now = System.nanoTime();
        for (var runner : runners.available()) {
            var boot = runners.boot(runner).orElseThrow();
            shelves.put(
                    Shape.of(runner, boot, settings.limits()),
                    new Shelf(runner.name(), boot, settings.limits(), true, now));
        }
        startRefilling();
        notifyAll();
    }

    private void startRefilling() {
        while (refillers.size() < settings.refillers()) {
            var name = "refill-" + refillers.size();
            refillers.add(Thread.ofPlatform().name(name).daemon().start(this::work));
        }
    }

    /// None waits any more; those being made are ended when they are ready.
    private void drain() {
        shelves.values().forEach(shelf -> useless.addAll(shelf.clear()));
        shelves.clear();
    }

    /// One for each runner, whatever the shapes.
    synchronized List<PoolFigures> figures() {
        var byRunner = new LinkedHashMap<String, PoolFigures>();
        for (var shelf : shelves.values()) {
            byRunner.merge(shelf.runner(), shelf.figures(), PoolFigures::and);
        }
        return List.copyOf(byRunner.values());
    }

    /// What a refiller does next.
    private sealed interface Work {
        record Make(Shelf shelf) implements Work {}

        record End(Prepared prepared) implements Work {}
    }

    private void work() {
        try {
            while (true) {
                switch (next()) {
                    case Work.Make(var shelf) -> fill(shelf);
                    case Work.End(var prepared) -> preparation.end(prepared);
                }
            }
        } catch (InterruptedException ended) {
            LOG.debug("no more sandboxes are made");
        }
    }

    private synchronized Work next() throws InterruptedException {
        while (true) {
            if (closed) {
                throw new InterruptedException("closed");
            }
            long now = System.nanoTime();
            tidy(now);
            if (!useless.isEmpty()) {
                return new Work.End(useless.remove());
            }
            var needy = needy(now);
            if (needy.isPresent()) {
                needy.get().begin();
                return new Work.Make(needy.get());
            }
            wait(pause(now).toMillis() + 1);
        }
    }

    /// Until something may be wanted, or has grown old.
    private Duration pause(long now) {
        var next =
                shelves.values().stream()
                        .map(shelf -> shelf.wantsIn(now))
                        .flatMapToLong(OptionalLong::stream)
                        .filter(nanos -> nanos > 0)
                        .min();
        return Duration.ofNanos(Math.min(next.orElse(Long.MAX_VALUE), TICK.toNanos()));
    }

    private void tidy(long now) {
        for (var shelf : shelves.values()) {
            shelf.settle(now, settings.idle());
            useless.addAll(shelf.superfluous(now, settings.ageMax()));
        }
        shelves.values().removeIf(Shelf::isForgotten);
        if (shelves.size() > SHELVES_MAX) {
            var oldest = shelves.entrySet().iterator().next();
            useless.addAll(oldest.getValue().clear());
            shelves.remove(oldest.getKey());
        }
    }

    /// The shelf that lacks most, if there is room for one more.
    private Optional<Shelf> needy(long now) {
        var needy =
                shelves.values().stream()
                        .filter(shelf -> shelf.wants(now))
                        .max(Comparator.comparingInt(Shelf::lacking));
        return needy.filter(this::hasRoom);
    }

    /// When memory is short, a shelf that was asked for longer ago gives one of its own.
    private boolean hasRoom(Shelf needy) {
        long used = shelves.values().stream().mapToLong(Shelf::bytes).sum();
        if (used + needy.bytesEach() <= settings.memoryBytes()) {
            return true;
        }
        shelves.values().stream()
                .filter(shelf -> shelf != needy && shelf.waiting() > 0)
                .filter(shelf -> shelf.lastTaken() - needy.lastTaken() < 0)
                .min(Comparator.comparingLong(Shelf::lastTaken))
                .flatMap(Shelf::poll)
                .ifPresent(this::discard);
        return false;
    }

    private void fill(Shelf shelf) throws InterruptedException {
        long begun = System.nanoTime();
        try {
            var prepared =
                    preparation.prepare(
                            shelf.boot(), shelf.limits(), Optional.empty(), CallerWeights.WHOLE);
            metrics.poolRefillSeconds()
                    .labelValues(shelf.runner())
                    .observe((System.nanoTime() - begun) / 1e9);
            put(shelf, prepared);
        } catch (IOException | Preparation.TooLittleMemory | RuntimeException failed) {
            failed(shelf, failed);
        }
    }

    private void put(Shelf shelf, Prepared prepared) {
        boolean wanted;
        synchronized (this) {
            wanted = !closed && shelves.containsValue(shelf);
            if (wanted) {
                shelf.add(prepared, System.nanoTime());
            }
            notifyAll();
        }
        if (!wanted) {
            preparation.end(prepared);
        }
    }

    private synchronized void failed(Shelf shelf, Exception failure) {
        shelf.failed(System.nanoTime());
        if (!closed) {
            LOG.warn("no sandbox of {} could be made to wait", shelf.runner(), failure);
        }
    }

    /// Ends everything that waits, and those that make more.
    @Override
    public void close() {
        List<Prepared> rest;
        synchronized (this) {
            closed = true;
            drain();
            rest = List.copyOf(useless);
            useless.clear();
            notifyAll();
        }
        rest.forEach(preparation::end);
        refillers.forEach(Thread::interrupt);
        refillers.forEach(thread -> Uninterrupted.call(() -> thread.join(CLOSE_MAX)));
    }
}
