package dev.caisson.sandbox.pool;

import dev.caisson.call.BoundedClose;
import dev.caisson.sandbox.Blueprint;
import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.Box;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.PoolFigures;
import dev.caisson.sandbox.PoolSettings;
import dev.caisson.sandbox.Runner;
import dev.caisson.sandbox.Runners;
import dev.caisson.sandbox.SandboxRuntime;
import dev.caisson.sandbox.TooLittleMemory;
import dev.caisson.sandbox.Uninterrupted;
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

/// Pool of warm sandboxes, locked and booted before their run is asked for: every layer is in
/// place, the interpreter is up, and its guest waits for one job. Whoever takes one has it for one
/// run and ends it; none ever comes back.
///
/// How many wait follows demand, within a budget of memory; they are made on a few threads of their
/// own, and weigh as much for the processor as one caller does. One that died or grew old is
/// replaced before anybody meets it. Changed runners empty the pool.
public final class Pool implements BoundedClose {
    private static final Logger LOG = LoggerFactory.getLogger(Pool.class);

    /// How many shapes there may be sandboxes for; the ones asked for longest ago go.
    private static final int QUEUES_MAX = 64;

    private static final Duration TICK = Duration.ofSeconds(1);

    private final SandboxRuntime runtime;
    private final PoolSettings settings;
    private final int most;
    private final Metrics metrics;
    private final Map<BootShape, WarmQueue> queues = new LinkedHashMap<>();
    private final Deque<Box> useless = new ArrayDeque<>();
    private final List<Thread> refillers = new ArrayList<>();
    private boolean closed;

    /// @param most of a shape that could ever be wanted at once
    public Pool(SandboxRuntime runtime, PoolSettings settings, int most, Metrics metrics) {
        this.runtime = runtime;
        this.settings = settings;
        this.most = most;
        this.metrics = metrics;
    }

    /// A sandbox that waits for such a run; empty when none does. Never waits itself.
    ///
    /// @param owner who may have sandboxes of its own that wait
    /// @param busy whether the caller has other runs now: the last ones that wait for everybody are
    ///   for those who have none
    public Optional<Box> take(
            Runner runner, Boot boot, Limits limits, Optional<String> owner, boolean busy) {
        if (!isUsed()) {
            return Optional.empty();
        }
        var keeper = owner.filter(_ -> runtime.keepsApart(boot));
        var taken = poll(keeper, runner, boot, limits, busy);
        while (taken.isPresent() && !taken.get().isWaiting()) {
            discard(taken.get());
            taken = poll(keeper, runner, boot, limits, busy);
        }
        metrics.poolTakes().labelValues(runner.name(), taken.isPresent() ? "hit" : "miss").inc();
        return taken;
    }

    private boolean isUsed() {
        return settings.memoryBytes() > 0 && runtime.canWait();
    }

    private synchronized Optional<Box> poll(
            Optional<String> owner, Runner runner, Boot boot, Limits limits, boolean busy) {
        if (closed) {
            return Optional.empty();
        }
        long now = System.nanoTime();
        var queue =
                queues.computeIfAbsent(
                        BootShape.of(owner, runner, boot, limits),
                        _ -> new WarmQueue(runner.name(), boot, limits, owner, false, now));
        var taken = owner.isEmpty() && busy && queue.isLow() ? Optional.<Box>empty() : queue.poll();
        if (taken.isPresent()) {
            queue.taken(now, most);
        } else {
            queue.missed(now, most);
        }
        wake(queue.lacking());
        return taken.isPresent() || owner.isEmpty() ? taken : common(runner, boot, limits, busy);
    }

    /// As many refillers as have something to do; one that works looks again by itself.
    private synchronized void wake(int lacking) {
        if (lacking > 1) {
            notifyAll();
        } else {
            notify();
        }
    }

    /// Until a caller has sandboxes of its own, those for everybody serve it; they are not made for
    /// that.
    private Optional<Box> common(Runner runner, Boot boot, Limits limits, boolean busy) {
        var queue =
                Optional.ofNullable(
                        queues.get(BootShape.of(Optional.empty(), runner, boot, limits)));
        var taken = queue.filter(each -> !(busy && each.isLow())).flatMap(WarmQueue::poll);
        taken.ifPresent(_ -> queue.orElseThrow().taken(System.nanoTime(), most));
        return taken;
    }

    /// Nothing waits for this caller any more.
    public synchronized void forget(String owner) {
        queues.entrySet()
                .removeIf(each -> {
                    boolean own = each.getKey().owner().filter(owner::equals).isPresent();
                    if (own) {
                        useless.addAll(each.getValue().clear());
                    }
                    return own;
                });
        notifyAll();
    }

    private synchronized void discard(Box dead) {
        useless.add(dead);
        notifyAll();
    }

    /// From now on sandboxes of these runners wait, and none of what was before.
    public synchronized void offer(Runners runners) {
        drain();
        if (closed || !isUsed()) {
            return;
        }
        long now = System.nanoTime();
        for (var plain : runners.available()) {
            var runner = plain.with(runners.fitting(plain, runners.usual()));
            var boot = runners.boot(runner).orElseThrow();
            queues.put(
                    BootShape.of(Optional.empty(), runner, boot, settings.limits()),
                    new WarmQueue(
                            runner.name(), boot, settings.limits(), Optional.empty(), true, now));
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
        queues.values().forEach(queue -> useless.addAll(queue.clear()));
        queues.clear();
    }

    /// One for each runner, whatever the shapes.
    public synchronized List<PoolFigures> figures() {
        var byRunner = new LinkedHashMap<String, PoolFigures>();
        for (var queue : queues.values()) {
            byRunner.merge(queue.runner(), queue.figures(), PoolFigures::and);
        }
        return List.copyOf(byRunner.values());
    }

    /// What a refiller does next.
    private sealed interface Work {
        record Make(WarmQueue queue) implements Work {}

        record End(Box box) implements Work {}
    }

    private void work() {
        try {
            while (true) {
                switch (next()) {
                    case Work.Make(var queue) -> fill(queue);
                    case Work.End(var box) -> box.end();
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
                queues.values().stream()
                        .map(queue -> queue.wantsIn(now))
                        .flatMapToLong(OptionalLong::stream)
                        .filter(nanos -> nanos > 0)
                        .min();
        return Duration.ofNanos(Math.min(next.orElse(Long.MAX_VALUE), TICK.toNanos()));
    }

    private void tidy(long now) {
        for (var queue : queues.values()) {
            queue.settle(now, settings.idle());
            useless.addAll(queue.superfluous(now, settings.ageMax()));
        }
        queues.values().removeIf(WarmQueue::isForgotten);
        if (queues.size() > QUEUES_MAX) {
            var oldest =
                    queues.entrySet().stream()
                            .min(
                                    Comparator.comparingLong(
                                            each -> each.getValue().lastTaken() - now))
                            .orElseThrow();
            useless.addAll(oldest.getValue().clear());
            queues.remove(oldest.getKey());
        }
    }

    /// The queue that lacks most, if there is room for one more.
    private Optional<WarmQueue> needy(long now) {
        var needy =
                queues.values().stream()
                        .filter(queue -> queue.wants(now))
                        .max(Comparator.comparingInt(WarmQueue::lacking));
        return needy.filter(this::hasRoom);
    }

    /// When memory is short, a queue that was asked for longer ago gives one of its own.
    private boolean hasRoom(WarmQueue needy) {
        long used = queues.values().stream().mapToLong(WarmQueue::bytes).sum();
        if (used + needy.bytesEach() <= settings.memoryBytes()) {
            return true;
        }
        queues.values().stream()
                .filter(queue -> queue != needy && queue.waiting() > 0)
                .filter(queue -> queue.lastTaken() - needy.lastTaken() < 0)
                .min(Comparator.comparingLong(WarmQueue::lastTaken))
                .flatMap(WarmQueue::giveUp)
                .ifPresent(this::discard);
        return false;
    }

    private void fill(WarmQueue queue) throws InterruptedException {
        long begun = System.nanoTime();
        try {
            var box =
                    runtime.make(
                            new Blueprint(
                                    queue.boot(),
                                    queue.limits(),
                                    Optional.empty(),
                                    CallerWeights.WHOLE,
                                    queue.owner()));
            metrics.poolRefillSeconds()
                    .labelValues(queue.runner())
                    .observe((System.nanoTime() - begun) / 1e9);
            put(queue, box);
        } catch (IOException | TooLittleMemory | RuntimeException failed) {
            failed(queue, failed);
        }
    }

    private void put(WarmQueue queue, Box box) {
        boolean wanted;
        synchronized (this) {
            wanted = !closed && queues.containsValue(queue);
            if (wanted) {
                queue.add(box, System.nanoTime());
            }
        }
        if (!wanted) {
            box.end();
        }
    }

    private synchronized void failed(WarmQueue queue, Exception failure) {
        queue.failed(System.nanoTime());
        if (!closed) {
            LOG.warn("the pool could not make a sandbox of {}", queue.runner(), failure);
        }
    }

    /// Ends everything that waits, and those that make more. One that is making a sandbox meanwhile
    /// may not notice; the sandbox dies with us.
    @Override
    public void close(Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        List<Box> rest;
        synchronized (this) {
            closed = true;
            drain();
            rest = List.copyOf(useless);
            useless.clear();
            notifyAll();
        }
        rest.forEach(Box::end);
        refillers.forEach(Thread::interrupt);
        refillers.forEach(thread ->
                Uninterrupted.call(
                        () -> thread.join(Duration.ofNanos(Math.max(0, end - System.nanoTime())))));
    }
}
