package dev.caisson.sandbox.nest;

import dev.caisson.linux.Cgroups;
import dev.caisson.linux.KernelException;
import dev.caisson.sandbox.Blueprint;
import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.Box;
import dev.caisson.sandbox.Candidate;
import dev.caisson.sandbox.Isolation;
import dev.caisson.sandbox.Resting;
import dev.caisson.sandbox.SandboxRuntime;
import dev.caisson.sandbox.SandboxSettings;
import dev.caisson.sandbox.TooLittleMemory;
import dev.caisson.sandbox.Uninterrupted;
import dev.caisson.sandbox.Workspace;
import dev.caisson.sandbox.bubblewrap.Bubblewrap;
import dev.caisson.sandbox.bubblewrap.IsolationProbe;
import dev.caisson.sandbox.bubblewrap.ObservedIsolation;
import dev.caisson.sandbox.bubblewrap.SandboxRemovals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Nest runtime: makes the sandboxes of a caller in a nest of that caller, and leaves all others,
/// and those a nest cannot make, to [Bubblewrap]. Both have the same walls: at the start a sandbox
/// of each is looked at, and a nest that lacks a layer bubblewrap has makes none.
public final class NestRuntime implements SandboxRuntime {
    private static final Logger LOG = LoggerFactory.getLogger(NestRuntime.class);

    private static final Duration TIDY_EVERY = Duration.ofSeconds(10);

    /// Sandboxes that wait for the caller, beside those that run.
    private static final int WAITING = 8;

    /// The kernel takes so many lines about users, and each sandbox has two.
    private static final int SANDBOXES_MAX = 100;

    private static final String PROBE = "probe";

    private final Bubblewrap bubblewrap;
    private final NestTools tools;
    private final Nests nests;
    private final SandboxRemovals removals;
    private final ScheduledExecutorService tidying =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("nests").daemon().factory());
    private final Optional<String> missing;

    private NestRuntime(Bubblewrap bubblewrap, SandboxSettings settings) {
        this.bubblewrap = bubblewrap;
        var machine = bubblewrap.machine();
        this.removals =
                new SandboxRemovals(
                        machine.threads(), settings.places(), settings.sharing().part());
        int sandboxes = Math.min(SANDBOXES_MAX, settings.places() + WAITING);
        this.tools =
                new NestTools(
                        machine,
                        bubblewrap.slots(),
                        removals,
                        sandboxes,
                        nests(sandboxes, settings.users().count()),
                        settings.nest().forks(),
                        settings.nest().keepsSlots(),
                        NestTools.TRIALS);
        this.nests = new Nests(tools, Nests.Life.USUAL);
        this.missing = lacking().or(this::lackingLayers);
        missing.ifPresentOrElse(
                why -> LOG.info("bubblewrap makes all sandboxes: {}", why),
                () -> LOG.info("nests make sandboxes"));
        var _ =
                tidying.scheduleWithFixedDelay(
                        this::tidy,
                        TIDY_EVERY.toMillis(),
                        TIDY_EVERY.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    /// @param bubblewrap for what nests do not make; closed with this
    public static NestRuntime over(Bubblewrap bubblewrap, SandboxSettings settings) {
        return new NestRuntime(bubblewrap, settings);
    }

    /// At least half of the users are left for boxes of bubblewrap, and for nests of other servers.
    private static int nests(int sandboxes, int users) {
        return Math.min(Nests.NESTS_MAX, users / 2 / NestUsers.count(sandboxes));
    }

    private void tidy() {
        try {
            nests.tidy();
        } catch (RuntimeException failed) {
            LOG.warn("nests could not be tidied", failed);
        }
    }

    /// What this machine lacks for nests.
    private Optional<String> lacking() {
        var machine = bubblewrap.machine();
        if (machine.mounts().isEmpty()) {
            return Optional.of("nests need a server of root that may mount");
        }
        if (!Files.isExecutable(NestFounding.program(machine))) {
            return Optional.of("the nest was not compiled, because there was no C compiler");
        }
        if (!machine.filtered()) {
            return Optional.of("nests need a filter for system calls");
        }
        if (tools.nests() == 0) {
            return Optional.of(
                    "a nest has %d user ids, and all nests together at most half of them: raise sandbox.uid_count"
                            .formatted(NestUsers.count(tools.sandboxes())));
        }
        return machine.groups()
                .missing(Cgroups.Power.MEMORY)
                .map(_ -> "nests need control groups that limit memory");
    }

    private Optional<String> lackingLayers() {
        var found =
                new IsolationProbe(bubblewrap.machine(), this::makeProbed, java.util.Set.of())
                        .isolation();
        nests.forget(PROBE);
        return found.missing().entrySet().stream()
                .filter(each -> !bubblewrap.isolation().missing().containsKey(each.getKey()))
                .findFirst()
                .map(each -> "%s: %s".formatted(each.getKey().word(), each.getValue()));
    }

    private IsolationProbe.Made makeProbed(Blueprint blueprint)
            throws IOException, TooLittleMemory {
        var box = nests.make(PROBE, blueprint);
        var parts = box.parts();
        var subject =
                new ObservedIsolation.Subject(
                        parts.processes().program().pid(),
                        parts.slot(),
                        parts.limits(),
                        Optional.of(parts.group()));
        return new IsolationProbe.Made(box, subject);
    }

    @Override
    public String name() {
        return missing.isPresent() ? bubblewrap.name() : "nests and " + bubblewrap.name();
    }

    @Override
    public Isolation isolation() {
        return bubblewrap.isolation();
    }

    @Override
    public List<Candidate> candidates() throws IOException {
        return bubblewrap.candidates();
    }

    @Override
    public Workspace trialWorkspace() throws IOException {
        return bubblewrap.trialWorkspace();
    }

    @Override
    public boolean canPark() {
        return bubblewrap.canPark();
    }

    @Override
    public boolean canWait() {
        return bubblewrap.canWait();
    }

    @Override
    public boolean keepsApart(Boot boot) {
        return missing.isEmpty();
    }

    @Override
    public String makers() {
        return missing.map(why -> "bubblewrap makes all sandboxes: " + why)
                .orElseGet(() ->
                        "nests make those of callers, bubblewrap all others"
                                + nests.unforked().map(why -> "; " + why).orElse(""));
    }

    @Override
    public int boxes() {
        return bubblewrap.boxes() - nests.spareUsers();
    }

    @Override
    public Resting resting() {
        return nests.resting();
    }

    @Override
    public void forget(String caller) {
        nests.forget(caller);
    }

    @Override
    public void renew() {
        nests.renew();
    }

    @Override
    public Box make(Blueprint blueprint) throws IOException, InterruptedException, TooLittleMemory {
        var owner =
                blueprint
                        .owner()
                        .filter(caller ->
                                keepsApart(blueprint.boot())
                                        && nests.isReadyFor(caller, blueprint));
        if (owner.isPresent()) {
            try {
                return inNest(owner.get(), blueprint);
            } catch (IOException | KernelException | UncheckedIOException failed) {
                LOG.warn("a nest could not make a sandbox; bubblewrap does", failed);
            }
        }
        return bubblewrap.make(blueprint);
    }

    /// A nest is asked by a platform thread: its answer is waited for in the kernel.
    private Box inNest(String owner, Blueprint blueprint)
            throws IOException, InterruptedException, TooLittleMemory {
        if (!Thread.currentThread().isVirtual()) {
            return nests.make(owner, blueprint);
        }
        var made = new CompletableFuture<Box>();
        bubblewrap
                .machine()
                .threads()
                .execute(() -> {
                    try {
                        var box = nests.make(owner, blueprint);
                        if (!made.complete(box)) {
                            box.end();
                        }
                    } catch (IOException | TooLittleMemory | RuntimeException failed) {
                        made.completeExceptionally(failed);
                    }
                });
        try {
            return made.get();
        } catch (InterruptedException cancelled) {
            if (!made.cancel(false)) {
                var _ = made.thenAccept(Box::end);
            }
            throw cancelled;
        } catch (ExecutionException failed) {
            switch (failed.getCause()) {
                case IOException io -> throw io;
                case TooLittleMemory small -> throw small;
                case RuntimeException fault -> throw fault;
                case null, default -> throw new IllegalStateException(failed);
            }
        }
    }

    @Override
    public void killAll() {
        tidying.shutdownNow();
        nests.killAll();
        bubblewrap.killAll();
    }

    @Override
    public void close(Duration atMost) {
        long begun = System.nanoTime();
        Uninterrupted.call(() -> removals.await(atMost));
        bubblewrap.close(atMost.minusNanos(System.nanoTime() - begun));
    }
}
