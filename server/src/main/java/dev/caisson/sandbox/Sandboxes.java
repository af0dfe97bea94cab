package dev.caisson.sandbox;

import dev.caisson.linux.Cgroups;
import dev.caisson.linux.MountTool;
import dev.caisson.linux.ServerToken;
import dev.caisson.linux.SyscallFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where programs run. Each gets a sandbox of its own that is made for it and gone after it; who
/// comes when all places are taken waits, within bounds, or is told how long it would take.
///
/// Without every promised layer of isolation, or the operator's word that one may be missing,
/// nothing runs.
public final class Sandboxes implements Runs, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sandboxes.class);

    private static final Duration CLOSE_MAX = Duration.ofSeconds(10);

    private final SandboxSettings settings;
    private final Machine machine;
    private final Path directory;
    private final Slots slots;
    private final Admission admission;
    private final Isolation isolation;
    private final AtomicLong runs = new AtomicLong();
    private volatile Runners runners;
    private volatile boolean closing;

    private Sandboxes(SandboxSettings settings, Machine machine, Path directory) {
        this.settings = settings;
        this.machine = machine;
        this.directory = directory;
        this.slots = new Slots(directory.resolve("slots"), settings, machine.host().privileged());
        this.admission =
                new Admission(settings.places(), settings.waitingMax(), settings.waitMax());
        this.runners = Runners.NONE;
        this.isolation = new Probe(machine, slots, settings.acceptMissing()).isolation();
    }

    /// Removes what a killed server left, proves the isolation and finds the runners.
    ///
    /// @throws IOException when this machine cannot make sandboxes at all, and what to do about it
    public static Sandboxes open(SandboxSettings settings) throws IOException {
        var owner = ServerToken.own();
        var groups = Cgroups.detect(settings.controlGroups(), owner);
        var directory = Sweeper.sweep(settings.directory(), owner, groups);
        boolean privileged = isRoot() && MountTool.missing().isEmpty();
        var filter = SyscallFilter.missing().isEmpty() ? SyscallFilter.compile() : new byte[0];
        SharedParts.prepare(directory.resolve("runtime"), settings.guests(), filter);
        var host = Host.read(directory.resolve("runtime"), Host.Programs.find(), privileged);
        var mounts = privileged ? Optional.of(new MountTool()) : Optional.<MountTool>empty();
        var machine = Machine.of(host, groups, mounts, filter.length > 0);
        var sandboxes = new Sandboxes(settings, machine, directory);
        sandboxes.reload();
        return sandboxes;
    }

    private static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    /// Looks again for what programs can be written in.
    public Runners reload() {
        runners = new Discovery(settings, machine, this::runTrusted).runners();
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
        return new Load(admission.running(), admission.waiting(), settings.places());
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

    /// For programs of our own that ask an interpreter who it is.
    private Outcome runTrusted(Run run, Boot boot) throws InterruptedException {
        return isolation.refusal().isPresent()
                ? new Outcome.Blocked(isolation.refusal().get(), Outcome.Usage.NONE)
                : admitted(run, boot);
    }

    private Outcome admitted(Run run, Boot boot) throws InterruptedException {
        long asked = System.nanoTime();
        admission.enter();
        long entered = System.nanoTime();
        try {
            return inSlot(run, boot, Duration.ofNanos(entered - asked));
        } finally {
            admission.leave(Duration.ofNanos(System.nanoTime() - entered));
        }
    }

    private Outcome inSlot(Run run, Boot boot, Duration queued) {
        Slot slot;
        try {
            slot = slots.take();
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot make a slot", failed);
        }
        var name = slot.groupName(runs.incrementAndGet());
        boolean clean = true;
        try {
            var outcome = new Execution(machine, slot, boot, name).of(run, queued);
            return closing ? interrupted(outcome) : outcome;
        } catch (Unclean left) {
            clean = false;
            throw left;
        } finally {
            giveBack(slot, clean);
        }
    }

    private void giveBack(Slot slot, boolean clean) {
        if (clean) {
            slots.give(slot);
        } else {
            LOG.error("slot {} is not used again: something of a run is left in it", slot.number());
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
            Uninterrupted.call(() -> admission.awaitIdle(CLOSE_MAX));
            machine.close();
            slots.close();
            Trees.delete(directory);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot remove " + directory, failed);
        }
    }
}
