package dev.caisson.sandbox;

import dev.caisson.linux.Cgroups;
import dev.caisson.linux.KernelException;
import dev.caisson.linux.MountTool;
import dev.caisson.linux.OomScore;
import dev.caisson.linux.ServerToken;
import dev.caisson.linux.SyscallFilter;
import dev.caisson.telemetry.Metrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where programs run. Each gets a sandbox of its own, one that waited for it or one that is made
/// now, which no other program ever has; who comes when all places are taken waits, within bounds,
/// or is told how long it would take.
///
/// Without every promised layer of isolation, or the operator's word that one may be missing,
/// nothing runs.
public final class Sandboxes implements Runs, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sandboxes.class);

    private static final Duration CLOSE_MAX = Duration.ofSeconds(10);

    private final SandboxSettings settings;
    private final Machine machine;
    private final Path directory;
    private final Preparation preparation;
    private final Pool pool;
    private final Places places;
    private final Isolation isolation;
    private volatile Runners runners;
    private volatile boolean closing;

    private Sandboxes(
            SandboxSettings settings,
            Machine machine,
            Path directory,
            boolean root,
            Metrics metrics) {
        this.settings = settings;
        this.machine = machine;
        this.directory = directory;
        var slots =
                new Slots(
                        directory.resolve("slots"), settings.users(), machine.host().privileged());
        var removals =
                new SandboxRemovals(
                        machine.threads(), settings.places(), settings.sharing().part());
        this.preparation = new Preparation(machine, slots, removals);
        this.pool = new Pool(preparation, settings.pool(), settings.places(), metrics);
        this.places = new Places(settings);
        this.runners = Runners.NONE;
        this.isolation = isolation(root);
    }

    /// Whatever the operator accepts, no program is root on the host.
    private Isolation isolation(boolean root) {
        return root && !machine.host().privileged()
                ? Isolation.none(
                        "the server is root but may not mount, so programs would be root too; run it as a plain user or with CAP_SYS_ADMIN")
                : new Probe(machine, preparation, settings.acceptMissing()).isolation();
    }

    /// Removes what a killed server left, proves the isolation and finds the runners.
    ///
    /// @throws IOException when the directory for sandboxes cannot be used
    public static Sandboxes open(SandboxSettings settings) throws IOException {
        return open(settings, new Metrics());
    }

    /// @param metrics where the pool of waiting sandboxes is counted
    public static Sandboxes open(SandboxSettings settings, Metrics metrics) throws IOException {
        var owner = ServerToken.own();
        var groups = Cgroups.detect(settings.controlGroups(), owner);
        var directory = Sweeper.sweep(settings.directory(), owner, groups);
        boolean root = isRoot();
        boolean privileged = root && MountTool.missing().isEmpty();
        var runtime = directory.resolve("runtime");
        SharedParts.prepare(runtime, settings.guests());
        var sockets = SocketGate.sockets(runtime);
        boolean filtered = SyscallFilter.missing().isEmpty();
        SharedParts.filter(runtime, filtered ? SyscallFilter.compile(sockets) : new byte[0]);
        var host = Host.read(runtime, Host.Programs.find(), privileged);
        var mounts = privileged ? Optional.of(new MountTool()) : Optional.<MountTool>empty();
        limitTogether(groups, settings.sharing());
        OomScore.spareServer();
        var machine = Machine.of(host, groups, mounts, filtered, sockets);
        var sandboxes = new Sandboxes(settings, machine, directory, root, metrics);
        tell(sandboxes.isolation());
        LOG.info("no descriptor leaves a sandbox, by {}", sockets.description());
        sandboxes.reload();
        return sandboxes;
    }

    /// Another server of this machine may have more in use than this one allows; then its word
    /// stays.
    private static void limitTogether(Cgroups groups, Sharing sharing) {
        try {
            groups.limitTogether(sharing.memoryBytes(), sharing.processes());
        } catch (UncheckedIOException | IllegalStateException refused) {
            LOG.warn("all sandboxes together keep the limits they had", refused);
        }
    }

    /// The reasons stand here and in the doctor's report, and nowhere a caller looks.
    private static void tell(Isolation isolation) {
        LOG.info("isolation is {}", isolation.tier().word());
        isolation.missing().forEach((layer, why) -> LOG.warn("no {}: {}", layer.word(), why));
    }

    private static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    /// Looks again for what programs can be written in. Sandboxes that wait are made anew.
    public Runners reload() {
        runners = new Discovery(settings, machine, this::runTrusted).runners();
        if (isolation.refusal().isEmpty()) {
            pool.offer(runners);
        }
        return runners;
    }

    @Override
    public Runners runners() {
        return runners;
    }

    @Override
    public Isolation isolation() {
        return isolation;
    }

    /// How many sandboxes are at work, and how many calls wait.
    public Load load() {
        return new Load(places.inUse(), places.waiting(), settings.places());
    }

    /// Waits until nothing of runs that are over is left, also not in places nobody sees.
    boolean awaitTidy(Duration atMost) throws InterruptedException {
        return preparation.awaitRemoved(atMost);
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
        var refusal = isolation.refusal();
        if (refusal.isPresent()) {
            return new Outcome.Blocked(refusal.get(), Outcome.Usage.NONE);
        }
        var boot = runners.boot(run.runner());
        if (boot.isEmpty()) {
            var why = "The runner %s is not there any more.".formatted(run.runner().name());
            return new Outcome.Blocked(why, Outcome.Usage.NONE);
        }
        return admitted(run, boot.get());
    }

    /// Where interpreters stay between programs.
    public Residents residents() {
        return new HostResidents(
                machine,
                preparation,
                pool,
                places,
                runner ->
                        isolation.refusal().isPresent() ? Optional.empty() : runners.boot(runner));
    }

    /// For programs of our own that ask an interpreter who it is.
    private Outcome runTrusted(Run run, Boot boot) throws InterruptedException {
        return isolation.refusal().isPresent()
                ? new Outcome.Blocked(isolation.refusal().get(), Outcome.Usage.NONE)
                : admitted(run, boot);
    }

    private Outcome admitted(Run run, Boot boot) throws InterruptedException {
        long asked = System.nanoTime();
        try (var _ = places.enter(run.caller(), run.limits())) {
            var watch = new Stages.Watch(Duration.ofNanos(System.nanoTime() - asked));
            var outcome = inSandbox(run.opened(), boot, watch);
            watch.ended(Stage.TEARDOWN);
            var whole = outcome.using(outcome.usage().in(watch.stages()));
            return closing ? interrupted(whole) : whole;
        }
    }

    /// In one that waits, if there is one and it is still there when it gets its job; otherwise in
    /// one made for this run.
    private Outcome inSandbox(Run run, Boot boot, Stages.Watch watch) {
        var waiting = pool.take(run.runner(), boot, run.limits(), places.hasOthers(run.caller()));
        if (waiting.isPresent()) {
            try {
                return in(waiting.get(), run, boot, watch);
            } catch (Execution.NeverBegan lost) {
                LOG.warn("a waiting sandbox could not take its job; making another", lost);
            }
        }
        return inNew(run, boot, watch);
    }

    private Outcome inNew(Run run, Boot boot, Stages.Watch watch) {
        var usage = new Outcome.Usage(watch.stages().of(Stage.QUEUE).toMillis(), 0, 0, 0);
        try {
            var made =
                    preparation.prepare(
                            boot,
                            run.limits(),
                            Optional.of(run.workspace()),
                            places.weightOfNext(run.caller()));
            watch.ended(Stage.BOOT);
            return in(made, run, boot, watch);
        } catch (Preparation.TooLittleMemory _) {
            return new Outcome.OutOfMemory(usage, Optional.empty());
        } catch (InterruptedException cancelled) {
            return new Outcome.Cancelled(usage, Optional.empty());
        } catch (IOException
                | UncheckedIOException
                | KernelException
                | Unclean
                | Execution.NeverBegan failed) {
            LOG.error("no sandbox could be made for {}", run.id(), failed);
            return new Outcome.Blocked(Preparation.NOT_MADE, usage);
        }
    }

    private Outcome in(Prepared prepared, Run run, Boot boot, Stages.Watch watch)
            throws Execution.NeverBegan {
        try (var weight = places.weigh(run.caller(), prepared.group())) {
            prepared.sandbox().hastenedBy(weight::dying);
            return new Execution(prepared, boot, watch).of(run);
        } finally {
            preparation.end(prepared, run.caller());
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
    public void close() {
        closing = true;
        try {
            machine.launcher().close();
            pool.close();
            Uninterrupted.call(() -> places.awaitIdle(CLOSE_MAX));
            Uninterrupted.call(() -> preparation.awaitRemoved(CLOSE_MAX));
            machine.close();
            Trees.delete(directory);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot remove " + directory, failed);
        }
    }
}
