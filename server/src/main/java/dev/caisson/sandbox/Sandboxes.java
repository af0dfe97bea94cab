package dev.caisson.sandbox;

import dev.caisson.call.BoundedClose;
import dev.caisson.linux.KernelException;
import dev.caisson.linux.OomScore;
import dev.caisson.sandbox.bubblewrap.Bubblewrap;
import dev.caisson.sandbox.nest.NestRuntime;
import dev.caisson.sandbox.pool.Places;
import dev.caisson.sandbox.pool.Pool;
import dev.caisson.sandbox.runners.RunnerDiscovery;
import dev.caisson.sandbox.session.HostResidents;
import dev.caisson.telemetry.Metrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Service that runs programs in sandboxes. Each program gets a sandbox of its own, one that waited
/// for it or one that is made now, which no other program ever has. A caller that comes when all
/// places are taken waits, within bounds, or is told how long it would take.
///
/// How a sandbox is made is the business of a [SandboxRuntime]; this is the one place that chooses
/// it.
///
/// Without every promised layer of isolation, or the operator's word that one may be missing,
/// nothing runs.
public final class Sandboxes implements Runs, BoundedClose {
    private static final Logger LOG = LoggerFactory.getLogger(Sandboxes.class);

    private final SandboxSettings settings;
    private final SandboxRuntime runtime;
    private final ExecutorService threads;
    private final Pool pool;
    private final Places places;
    private final Parking parking;
    private final Services services;
    private volatile Runners runners = Runners.NONE;
    private volatile boolean closing;

    private Sandboxes(
            SandboxSettings settings,
            SandboxRuntime runtime,
            ExecutorService threads,
            Metrics metrics) {
        this.settings = settings;
        this.runtime = runtime;
        this.threads = threads;
        this.pool = new Pool(runtime, settings.pool(), settings.places(), metrics);
        this.places = new Places(settings);
        this.parking = new Parking(settings.parking(), settings.sharing().part());
        this.services = new Services(runtime, places, threads, this, Clock.systemUTC());
    }

    /// Removes what a killed server left, proves the isolation and finds the runners.
    ///
    /// @throws IOException when the directory for sandboxes cannot be used
    public static Sandboxes open(SandboxSettings settings) throws IOException {
        return open(settings, new Metrics());
    }

    /// @param metrics where the pool of waiting sandboxes is counted
    public static Sandboxes open(SandboxSettings settings, Metrics metrics) throws IOException {
        // For what blocks in the kernel; a virtual thread would hold its carrier there.
        var threads =
                Executors.newCachedThreadPool(
                        Thread.ofPlatform().name("sandbox-", 0).daemon().factory());
        OomScore.spareServer();
        var bubblewrap = Bubblewrap.open(settings, threads);
        var runtime =
                settings.nest().wantsNests() ? NestRuntime.over(bubblewrap, settings) : bubblewrap;
        var sandboxes = new Sandboxes(settings, runtime, threads, metrics);
        sandboxes.tell();
        sandboxes.reload();
        return sandboxes;
    }

    /// The reasons stand in the banner and in the doctor's report, and nowhere a caller looks.
    private void tell() {
        var isolation = isolation();
        if (isolation.missing().isEmpty()) {
            LOG.info("isolation is {}, by {}", isolation.tier().word(), runtime.name());
        } else {
            LOG.warn(
                    "isolation is {}, by {}; missing: {}; caisson doctor shows why and how to fix it",
                    isolation.tier().word(),
                    runtime.name(),
                    isolation.missing().keySet().stream()
                            .sorted()
                            .map(Layer::word)
                            .collect(Collectors.joining(", ")));
        }
        isolation
                .missing()
                .forEach((layer, why) ->
                        LOG.debug("isolation layer {} is missing: {}", layer.word(), why));
        LOG.debug("descriptors stay inside sandboxes, by {}", isolation.sockets().description());
    }

    /// Looks again for what programs can be written in. Sandboxes that wait are made anew.
    public Runners reload() {
        runtime.renew();
        var found = new RunnerDiscovery(runtime, this::runTrusted).runners();
        offer(found.withPackagesOf(runners));
        return runners;
    }

    /// From now on runs can have these packages. Sandboxes that wait are made anew.
    ///
    /// @param usual names of the environments of a run that asks for none
    /// @param missing those that are wanted and not there
    public void offer(
            List<PackageEnvironment> environments,
            List<String> usual,
            List<PackageEnvironment.Missing> missing) {
        var before = runners;
        boolean same =
                before.environments().equals(environments)
                        && (environments.isEmpty() || before.usual().equals(usual));
        var now = before.with(environments, usual, missing);
        if (same) {
            runners = now;
        } else {
            offer(now);
        }
    }

    private synchronized void offer(Runners now) {
        runners = now;
        if (isolation().refusal().isEmpty()) {
            pool.offer(now);
        }
    }

    @Override
    public Runners runners() {
        return runners;
    }

    @Override
    public Isolation isolation() {
        return runtime.isolation();
    }

    @Override
    public boolean takesDoors() {
        return runtime.canListen();
    }

    @Override
    public boolean canPark() {
        return runtime.canPark();
    }

    /// How many runs stand still.
    public int parked() {
        return parking.count();
    }

    @Override
    public String makers() {
        return settings.nest().wantsNests()
                ? runtime.makers()
                : runtime.makers() + ", as sandbox.runtime says";
    }

    /// How many sandboxes are at work, and how many calls wait.
    public Load load() {
        return new Load(places.inUse(), places.waiting(), settings.places());
    }

    /// How many sandboxes are there, see [SandboxRuntime#boxes].
    public int boxes() {
        return runtime.boxes();
    }

    /// What is kept between sandboxes.
    public Resting resting() {
        return runtime.resting();
    }

    /// The sandboxes that wait, by runner.
    public List<PoolFigures> pool() {
        return pool.figures();
    }

    public record Load(int running, int waiting, int places) {}

    /// Runs a program and answers when everything it started is gone. To cancel, interrupt: the
    /// program is killed, and the outcome says so.
    ///
    /// @throws dev.caisson.call.Refusal when there is no capacity
    /// @throws InterruptedException when interrupted while nothing had been started
    @Override
    public Outcome run(Run run) throws InterruptedException {
        var refusal = isolation().refusal();
        if (refusal.isPresent()) {
            return new Outcome.Blocked(refusal.get(), Outcome.Usage.NONE);
        }
        var boot = runners.boot(run.runner());
        if (boot.isEmpty()) {
            var why = "The runner %s is not there any more.".formatted(run.runner().name());
            return new Outcome.Blocked(why, Outcome.Usage.NONE);
        }
        return admitted(run, boot.get(), Optional.of(run.caller()));
    }

    /// Ends what is kept for a caller who will not come again: sandboxes that wait for it.
    public void forget(String caller) {
        pool.forget(caller);
        runtime.forget(caller);
    }

    /// Where interpreters stay between programs.
    ///
    /// @param grace how long an interrupted program has to end before its interpreter is killed
    public Residents residents(Duration grace) {
        return new HostResidents(
                runtime,
                threads,
                pool,
                places,
                parking,
                grace,
                runner ->
                        isolation().refusal().isPresent()
                                ? Optional.empty()
                                : runners.boot(runner));
    }

    /// Where programs live that serve for long.
    public Services services() {
        return services;
    }

    /// Runs a program in a sandbox that is made for it and shows more of the host, read-only.
    ///
    /// @param shown directories of the host
    /// @param furnishing what is done to the sandbox before the program starts
    public Outcome runApart(Run run, List<Boot.Shown> shown, ApartBox furnishing)
            throws InterruptedException {
        var refusal = isolation().refusal();
        var boot = runners.boot(run.runner()).map(plain -> plain.showing(shown));
        if (refusal.isPresent() || boot.isEmpty()) {
            var why = refusal.orElse("The runner %s is not there.".formatted(run.runner().name()));
            return new Outcome.Blocked(why, Outcome.Usage.NONE);
        }
        try (var _ = places.enter(run.caller(), run.limits())) {
            return inNew(
                    run.opened(),
                    boot.get(),
                    Optional.empty(),
                    new Stages.Watch(Duration.ZERO),
                    furnishing::made);
        }
    }

    /// Gets a sandbox that [#runApart] has made.
    @FunctionalInterface
    public interface ApartBox {
        void made(Box box) throws IOException;
    }

    /// For programs of our own that ask an interpreter who it is.
    private Outcome runTrusted(Run run, Boot boot) throws InterruptedException {
        return isolation().refusal().isPresent()
                ? new Outcome.Blocked(isolation().refusal().get(), Outcome.Usage.NONE)
                : admitted(run, boot, Optional.empty());
    }

    /// @param owner whose sandbox alone it may be; empty for programs of our own
    private Outcome admitted(Run run, Boot boot, Optional<String> owner)
            throws InterruptedException {
        long asked = System.nanoTime();
        try (var place = places.enter(run.caller(), run.limits())) {
            run.door().control().admitted(place, parking, run.caller());
            var watch = new Stages.Watch(Duration.ofNanos(System.nanoTime() - asked));
            var outcome = inSandbox(run.opened(), boot, owner, watch);
            watch.ended(Stage.TEARDOWN);
            var whole = outcome.using(outcome.usage().in(watch.stages()));
            return closing ? interrupted(whole) : whole;
        }
    }

    /// In one that waits, if there is one and it is still there when it gets its job; otherwise in
    /// one made for this run.
    private Outcome inSandbox(Run run, Boot boot, Optional<String> owner, Stages.Watch watch) {
        var waiting =
                pool.take(run.runner(), boot, run.limits(), owner, places.hasOthers(run.caller()));
        if (waiting.isPresent()) {
            try {
                return in(waiting.get(), run, watch, _ -> {});
            } catch (SandboxRun.NeverBegan lost) {
                if (Thread.interrupted()) {
                    return cancelledBefore(watch);
                }
                LOG.warn("a waiting sandbox could not take its job; making a new one", lost);
            }
        }
        return inNew(run, boot, owner, watch, _ -> {});
    }

    private Outcome inNew(
            Run run,
            Boot boot,
            Optional<String> owner,
            Stages.Watch watch,
            SandboxRun.Furnishing furnishing) {
        try {
            var made =
                    runtime.make(
                            new Blueprint(
                                    boot,
                                    run.limits(),
                                    Optional.of(run.workspace()),
                                    places.weightOfNext(run.caller()),
                                    owner));
            watch.ended(Stage.BOOT);
            return in(made, run, watch, furnishing);
        } catch (TooLittleMemory _) {
            return new Outcome.OutOfMemory(usage(watch), Optional.empty());
        } catch (InterruptedException cancelled) {
            return cancelledBefore(watch);
        } catch (IOException
                | UncheckedIOException
                | KernelException
                | Unclean
                | SandboxRun.NeverBegan failed) {
            // An interrupt closes what this thread writes to: that is no fault of the sandbox.
            if (Thread.interrupted()) {
                return cancelledBefore(watch);
            }
            LOG.error("no sandbox could be made for {}", run.id(), failed);
            return new Outcome.Blocked(NotMade.FOR_CALLERS, usage(watch));
        }
    }

    private static Outcome cancelledBefore(Stages.Watch watch) {
        return new Outcome.Cancelled(usage(watch), Optional.empty());
    }

    private static Outcome.Usage usage(Stages.Watch watch) {
        return new Outcome.Usage(watch.stages().of(Stage.QUEUE).toMillis(), 0, 0, 0);
    }

    private Outcome in(Box box, Run run, Stages.Watch watch, SandboxRun.Furnishing furnishing)
            throws SandboxRun.NeverBegan {
        try (var weight = places.weigh(run.caller(), box)) {
            box.onKill(weight::dying);
            return new SandboxRun(box, watch, furnishing).of(run);
        } finally {
            box.end(run.caller());
        }
    }

    /// What ended because the server did was cancelled.
    private static Outcome interrupted(Outcome outcome) {
        return outcome instanceof Outcome.Signalled(int _, var usage, var value)
                ? new Outcome.Cancelled(usage, value)
                : outcome;
    }

    /// Kills what runs, and waits for its callers to have their answers.
    @Override
    public void close(Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        closing = true;
        try {
            services.close(left(end).dividedBy(4));
            parking.killAll();
            runtime.killAll();
            pool.close(left(end));
            Uninterrupted.call(() -> parking.awaitIdle(left(end)));
            Uninterrupted.call(() -> places.awaitIdle(left(end)));
            runtime.close(left(end));
        } finally {
            threads.shutdown();
        }
    }

    private static Duration left(long end) {
        return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    }
}
