package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.ExitStatus;
import dev.caisson.sandbox.Box;
import dev.caisson.sandbox.HandedOver;
import dev.caisson.sandbox.NotMade;
import dev.caisson.sandbox.Sink;
import dev.caisson.sandbox.Unclean;
import dev.caisson.sandbox.Uninterrupted;
import dev.caisson.sandbox.Workspace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Life of one sandbox, for one run or one session. Booted, it is locked and its guest waits; then
/// its file systems are attached, the job is handed over, and the guest becomes the program.
/// Closing kills everything in it, on every way out, and waits until it is gone.
///
/// When everything in it is dead, what is in its pipes is read and they are closed, whoever else
/// may hold their other ends.
///
/// Used by one thread at a time.
final class Sandbox implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sandbox.class);

    /// A guest that is not ready by then never will be.
    static final Duration BOOT_MAX = Duration.ofSeconds(20);

    /// SIGINT, as a terminal sends it.
    private static final int INTERRUPT = 2;

    /// SIGTERM.
    private static final int TERMINATE = 15;

    /// How long a sink may take for the last that was written.
    private static final Duration LAST_OUTPUT_MAX = Duration.ofSeconds(20);

    private final Machine machine;
    private final Slot slot;
    private final SandboxSpec spec;
    private final Optional<CgroupGroup> group;
    private final ControlPipe control;
    private final Process bubblewrap;
    private final SandboxKill killing;
    private Optional<SandboxProcesses> processes = Optional.empty();
    private Optional<SandboxMounts> mounts = Optional.empty();
    private Optional<OutputPipes> output = Optional.empty();
    private Optional<OutputPump> pump = Optional.empty();
    private CompletableFuture<Void> reaped = new CompletableFuture<>();
    private boolean deserted;

    private Sandbox(
            Machine machine,
            Slot slot,
            SandboxSpec spec,
            Optional<CgroupGroup> group,
            ControlPipe control,
            Process bubblewrap) {
        this.machine = machine;
        this.slot = slot;
        this.spec = spec;
        this.group = group;
        this.control = control;
        this.bubblewrap = bubblewrap;
        this.killing = new SandboxKill(group);
    }

    /// Starts a sandbox and waits until it is locked and its guest is ready.
    ///
    /// @throws NotMade with what bubblewrap said when it could not be made
    static Sandbox boot(Machine machine, Slot slot, SandboxSpec spec, Optional<CgroupGroup> group)
            throws IOException, InterruptedException {
        var control = ControlPipe.open(slot.control(), machine.threads());
        Process started;
        try {
            started = machine.launcher().start(spec.command());
        } catch (IOException failed) {
            control.release();
            throw failed;
        }
        var sandbox = new Sandbox(machine, slot, spec, group, control, started);
        try {
            sandbox.awaitGuest();
            return sandbox;
        } catch (IOException | InterruptedException | RuntimeException failed) {
            sandbox.close();
            throw failed;
        }
    }

    private void awaitGuest() throws IOException, InterruptedException {
        try {
            if (spec.gateWaits()) {
                await(control.mountable());
                meet();
                letGateGoOn();
                await(control.ready());
            } else {
                await(control.ready());
                meet();
            }
        } finally {
            control.release();
        }
        output = Optional.of(OutputPipes.of(processes().program(), slot.user()));
        bubblewrap.getInputStream().close();
        bubblewrap.getErrorStream().close();
    }

    private void await(CompletableFuture<Boolean> word) throws IOException, InterruptedException {
        CompletableFuture<Boolean> ended = bubblewrap.onExit().thenApply(_ -> false);
        try {
            var said = CompletableFuture.anyOf(word, ended);
            if (!Boolean.TRUE.equals(said.get(BOOT_MAX.toMillis(), TimeUnit.MILLISECONDS))) {
                throw new NotMade("the sandbox could not be made: " + slot.bootLog());
            }
        } catch (TimeoutException | ExecutionException late) {
            throw new NotMade("no guest after %s: %s".formatted(BOOT_MAX, slot.bootLog()));
        }
    }

    /// From here on its processes are known, and what does not depend on the run is in its place.
    private void meet() throws IOException {
        processes = Optional.of(SandboxProcesses.of(bubblewrap));
        if (machine.mounts().isPresent()) {
            var user = slot.user().orElseThrow();
            var late = new SandboxMounts(machine.mounts().get(), processes(), user);
            mounts = Optional.of(late);
            late.furnish(spec.later());
        }
    }

    private void letGateGoOn() throws IOException {
        bubblewrap.getOutputStream().write('\n');
        bubblewrap.getOutputStream().flush();
    }

    /// The processes inside, for those who want to look at them from outside.
    SandboxProcesses processes() {
        return processes.orElseThrow(() -> new IllegalStateException("no guest"));
    }

    /// Puts the run's workspace in its place; it was given at the start where nothing is attached
    /// later.
    void attach(Workspace workspace) {
        mounts.ifPresent(late -> late.attach(SandboxSpec.forRun(workspace)));
    }

    /// @throws IOException where nothing is attached later
    void show(Path directory, String target) throws IOException {
        mounts.orElseThrow(() -> new IOException("nothing can be attached to a sandbox here"))
                .show(directory, target);
    }

    /// Gives the guest its job, whose text is in its place. From here on what runs inside is the
    /// program.
    ///
    /// @param words of the job, see [dev.caisson.sandbox.ProgramEnvironment]
    void handOver(byte[] words, Sink sink) throws IOException {
        var pipes = output.orElseThrow().handOn();
        pump =
                Optional.of(
                        OutputPump.start(pipes.stdout(), pipes.stderr(), sink, machine.threads()));
        if (machine.tellsStatus()) {
            var program = processes().program();
            // Who cannot wait for that waits for bubblewrap, which knows it later.
            reaped =
                    CompletableFuture.runAsync(program::awaitReaped, machine.threads())
                            .exceptionallyCompose(_ -> bubblewrap.onExit().thenAccept(_ -> {}));
        }
        try (var job = bubblewrap.getOutputStream()) {
            job.write(words);
        }
    }

    /// Makes the guest the beginning of a session: it is given one job after another by whoever has
    /// the lines to it. From here on what runs inside is the program.
    ///
    /// @param records gets what the guest says
    Box.Lines open(Box.Receiver records) {
        control.passTo(records);
        var pipes = output.orElseThrow().handOn();
        return new Box.Lines(bubblewrap.getOutputStream(), pipes.stdout(), pipes.stderr());
    }

    /// Completes when nobody can answer any more: the program has ended, or closed its way to us.
    CompletableFuture<?> silence() {
        return CompletableFuture.anyOf(bubblewrap.onExit(), control.ended());
    }

    boolean hasEnded() {
        return !bubblewrap.isAlive() || processes().program().hasExited();
    }

    /// Waits until the program has ended: until it was reaped and nobody holds its streams any
    /// more, or, which is later, until bubblewrap has gone.
    ///
    /// @return false when the time was over first
    boolean awaitEnd(Duration atMost) throws InterruptedException {
        try {
            CompletableFuture.anyOf(bubblewrap.onExit(), quiet())
                    .get(Math.max(1, atMost.toNanos()), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException late) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private CompletableFuture<Void> quiet() {
        var streams =
                Stream.concat(pump.stream().map(OutputPump::ended), Stream.of(control.ended()));
        return CompletableFuture.allOf(
                Stream.concat(streams, Stream.of(reaped)).toArray(CompletableFuture<?>[]::new));
    }

    /// Whether the program has ended, all it wrote was read, and nothing it started is alive: of
    /// the sandbox, only bubblewrap's own processes are left. That is so for good then.
    boolean isDeserted() {
        deserted = deserted || (quiet().isDone() && group.filter(this::isOnlyOurs).isPresent());
        return deserted;
    }

    private boolean isOnlyOurs(CgroupGroup all) {
        return all.holdsOnly(Set.of(bubblewrap.pid(), processes().first().pid()));
    }

    /// Kills everything inside, however it resists, and waits until it is dead and the rest of its
    /// output is passed on: nobody is left who could write more. The workspace is detached then:
    /// nothing holds the namespace it was attached to.
    void kill() {
        strike();
        // Through its handle: destroying the process itself would also close its streams unread.
        bubblewrap.toHandle().destroyForcibly();
        processes.ifPresent(known -> killing.awaitDeath(known.first()));
        killing.killGroup();
        output.ifPresent(OutputPipes::finish);
        control.finish();
        pump.ifPresent(each -> each.awaitEnd(LAST_OUTPUT_MAX));
    }

    /// Kills everything inside and waits for nothing.
    void strike() {
        killing.strike(processes.map(SandboxProcesses::first));
    }

    BoxFreezer freezer() {
        return killing.freezer();
    }

    void onKill(Runnable dying) {
        killing.onKill(dying);
    }

    /// Interrupts what runs in the foreground of a session. On kernels that cannot signal its whole
    /// group, that is the interpreter alone.
    void interrupt() {
        signal(INTERRUPT);
    }

    /// As a service manager asks a program to end.
    void terminate() {
        signal(TERMINATE);
    }

    private void signal(int number) {
        if (!processes().first().signalGroup(number)) {
            processes().program().signal(number);
        }
    }

    /// As [#kill()], for a thread that has somebody to answer. A program that resists is dead to
    /// its caller: what takes longer to reap is left to [Preparation#end].
    void killInTime() {
        try {
            kill();
        } catch (Unclean slow) {
            LOG.warn("a killed sandbox is slow to die", slow);
        }
    }

    /// What a sink threw, if one did.
    Optional<RuntimeException> sinkFailure() {
        return pump.flatMap(OutputPump::failure);
    }

    /// How the program ended, in the kernel's words. Known once [#isDeserted()], or after
    /// [#kill()]. A kernel that does not tell leaves us bubblewrap's word, in which a signal is a
    /// code above 128.
    ExitStatus status() {
        var program = processes().program();
        return Uninterrupted.call(() -> machine.reaper().reap(program, SandboxKill.DEATH_MAX))
                .orElseGet(() -> new ExitStatus.Exited(Uninterrupted.call(bubblewrap::waitFor)));
    }

    Optional<HandedOver> value() {
        control.awaitEnd(SandboxKill.DEATH_MAX);
        return control.value();
    }

    /// Everything of this sandbox is gone when this returns, and its slot can be closed.
    @Override
    public void close() throws IOException {
        kill();
        Uninterrupted.call(bubblewrap::waitFor);
        processes.ifPresent(known -> {
            Uninterrupted.call(() -> machine.reaper().reap(known.first(), SandboxKill.DEATH_MAX));
            known.close();
        });
        if (processes.isEmpty() && slot.user().isPresent()) {
            Orphans.reap(slot.user().getAsInt(), machine.reaper());
        }
        output.ifPresent(OutputPipes::close);
        mounts.ifPresent(SandboxMounts::close);
        bubblewrap.getInputStream().close();
        bubblewrap.getErrorStream().close();
    }
}
