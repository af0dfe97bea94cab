package dev.caisson.sandbox;

import dev.caisson.linux.Attachment;
import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.ExitStatus;
import dev.caisson.linux.IdMap;
import dev.caisson.linux.MountFlag;
import dev.caisson.linux.MountTool;
import dev.caisson.linux.PipeEnd;
import dev.caisson.linux.TmpfsSize;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One live sandbox, for one run. Booted, it is locked and its guest waits; then its file systems
/// are attached, the job is handed over, and the guest becomes the program. Closing kills
/// everything in it, on every way out, and waits until it is gone.
///
/// When everything in it is dead, what is in its pipes is read and they are closed, whoever else
/// may hold their other ends.
///
/// Used by one thread at a time.
final class Sandbox implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sandbox.class);

    /// A guest that is not ready by then never will be.
    static final Duration BOOT_MAX = Duration.ofSeconds(20);

    /// How long the kernel may take to bury what was killed.
    private static final Duration DEATH_MAX = Duration.ofSeconds(5);

    /// How often whoever takes long to die is helped meanwhile.
    private static final int DEATH_STEPS = 20;

    /// How long a sink may take for the last that was written.
    private static final Duration LAST_OUTPUT_MAX = Duration.ofSeconds(20);

    private final Machine machine;
    private final Slot slot;
    private final SandboxSpec spec;
    private final Optional<CgroupGroup> group;
    private final Control control;
    private final Process bubblewrap;
    private Optional<Processes> processes = Optional.empty();
    private Optional<IdMap> map = Optional.empty();
    private Optional<OutputPipes> output = Optional.empty();
    private Optional<Pump> pump = Optional.empty();
    private CompletableFuture<Void> reaped = new CompletableFuture<>();
    private boolean deserted;
    private volatile Runnable hastening = this::hasten;

    private Sandbox(
            Machine machine,
            Slot slot,
            SandboxSpec spec,
            Optional<CgroupGroup> group,
            Control control,
            Process bubblewrap) {
        this.machine = machine;
        this.slot = slot;
        this.spec = spec;
        this.group = group;
        this.control = control;
        this.bubblewrap = bubblewrap;
    }

    /// Starts a sandbox and waits until it is locked and its guest is ready.
    ///
    /// @throws NotMade with what bubblewrap said when it could not be made
    static Sandbox boot(Machine machine, Slot slot, SandboxSpec spec, Optional<CgroupGroup> group)
            throws IOException, InterruptedException {
        var control = Control.open(slot.control(), machine.threads());
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

    /// Why there is no sandbox.
    static final class NotMade extends IOException {
        private static final long serialVersionUID = 1L;

        NotMade(String why) {
            super(why);
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
        processes = Optional.of(Processes.of(bubblewrap));
        if (machine.mounts().isPresent()) {
            map = Optional.of(IdMap.of(processes().program()));
        }
        furnish();
    }

    private void letGateGoOn() throws IOException {
        bubblewrap.getOutputStream().write('\n');
        bubblewrap.getOutputStream().flush();
    }

    private void furnish() {
        var covers = new TreeMap<String, Path>();
        for (var mount : spec.later()) {
            switch (mount) {
                case LateMount.Cover(var target, var source) -> covers.put(target, source);
                case LateMount.Tmpfs(var target, long bytes, long files) ->
                        attach(target, new TmpfsSize(bytes, files, slot.user().orElseThrow()));
                case LateMount.Terminals(var target, int most) ->
                        mounts().limitTerminals(processes().first(), target, most);
                case LateMount.RunWorkspace _ -> {}
            }
        }
        if (!covers.isEmpty()) {
            mounts().cover(processes().first(), covers);
        }
    }

    /// Whether the guest still waits. Asked before it is given its job.
    boolean isWaiting() {
        return !hasEnded();
    }

    /// The processes inside, for those who want to look at them from outside.
    Processes processes() {
        return processes.orElseThrow(() -> new IllegalStateException("no guest"));
    }

    /// Puts the run's workspace in its place.
    void attach(Workspace workspace) {
        for (var mount : spec.later()) {
            if (mount instanceof LateMount.RunWorkspace(var target)) {
                attach(target, workspace);
            }
        }
    }

    /// Gives the guest its job. From here on what runs inside is the program.
    void handOver(Run run, List<String> files) throws IOException {
        slot.write(files, run.code());
        var pipes = output.orElseThrow().handOn();
        pump =
                Optional.of(
                        Pump.start(pipes.stdout(), pipes.stderr(), run.sink(), machine.threads()));
        if (machine.tellsStatus()) {
            var program = processes().program();
            // Who cannot wait for that waits for bubblewrap, which knows it later.
            reaped =
                    CompletableFuture.runAsync(program::awaitReaped, machine.threads())
                            .exceptionallyCompose(_ -> bubblewrap.onExit().thenAccept(_ -> {}));
        }
        try (var job = bubblewrap.getOutputStream()) {
            job.write(Environment.job(run.env()));
        }
    }

    /// Makes the guest the beginning of a session: it is given one job after another by whoever has
    /// the lines to it. From here on what runs inside is the program.
    ///
    /// @param records gets what the guest says
    Lines open(Control.Receiver records) {
        control.passTo(records);
        var pipes = output.orElseThrow().handOn();
        return new Lines(bubblewrap.getOutputStream(), pipes.stdout(), pipes.stderr());
    }

    /// @param jobs carries one job after another
    record Lines(OutputStream jobs, PipeEnd stdout, PipeEnd stderr) {}

    /// Completes when nobody can answer any more: the program has ended, or closed its way to us.
    CompletableFuture<?> silence() {
        return CompletableFuture.anyOf(bubblewrap.onExit(), control.ended());
    }

    boolean hasEnded() {
        return !bubblewrap.isAlive() || processes().program().hasExited();
    }

    private void attach(String target, TmpfsSize size) {
        mounts().attachTmpfs(processes().first(), size, Attachment.at(target));
    }

    private void attach(String target, Workspace workspace) {
        attach(workspace, Attachment.at(target).mapped(map.orElseThrow()));
    }

    private void attach(Workspace workspace, Attachment as) {
        var first = processes().first();
        switch (workspace) {
            case Workspace.Image(var mount) -> mounts().attach(first, mount, as);
            case Workspace.Directory(var path) -> mounts().attach(first, path, as);
            case Workspace.OpenedLater _ ->
                    throw new IllegalStateException("a workspace is opened before its sandbox");
            case Workspace.Part(var whole, var path) -> {
                attach(whole, as);
                mounts().narrow(first, as.target(), path);
            }
            case Workspace.WithVolumes(var own, var volumes) -> {
                attach(own, as);
                attachVolumes(volumes);
            }
        }
    }

    /// A small file system with a directory for each, and each in its place.
    private void attachVolumes(List<Workspace.Volume> volumes) {
        var names = volumes.stream().map(Workspace.Volume::name).toList();
        mounts().attachDirectories(processes().first(), names, Attachment.at(SandboxSpec.VOLUMES));
        for (var volume : volumes) {
            var target = SandboxSpec.VOLUMES + "/" + volume.name();
            var as = Attachment.at(target).mapped(map.orElseThrow());
            attach(volume.storage(), volume.writable() ? as : as.with(MountFlag.READ_ONLY));
        }
    }

    private MountTool mounts() {
        return machine.mounts().orElseThrow();
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
        var streams = Stream.concat(pump.stream().map(Pump::ended), Stream.of(control.ended()));
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
        processes.ifPresent(this::awaitDeath);
        group.ifPresent(Sandbox::killAll);
        output.ifPresent(OutputPipes::finish);
        control.finish();
        pump.ifPresent(each -> each.awaitEnd(LAST_OUTPUT_MAX));
    }

    /// Kills everything inside and waits for nothing.
    void strike() {
        processes.ifPresent(known -> known.first().kill());
        hastening.run();
        thaw();
    }

    /// Who was frozen cannot die at all.
    private void thaw() {
        try {
            group.ifPresent(CgroupGroup::thaw);
        } catch (UncheckedIOException gone) {
            // Nothing is left to be thawed.
        }
    }

    /// To die takes processor time, and what was killed uses it for nothing else: the small weight
    /// of one of many would only keep its caller waiting.
    private void hasten() {
        try {
            group.ifPresent(dying -> dying.weigh(CallerWeights.WHOLE));
        } catch (UncheckedIOException gone) {
            // Nothing is left to be hastened.
        }
    }

    /// From now on it has a caller, who gives it the weight to die with.
    void hastenedBy(Runnable byCaller) {
        hastening = byCaller;
    }

    /// The same for whoever has somebody to answer. A program that resists is dead to its caller:
    /// what takes longer to bury is left to [Preparation#end(Prepared)].
    void killInTime() {
        try {
            kill();
        } catch (Unclean slow) {
            LOG.warn("a sandbox was killed and takes long to die", slow);
        }
    }

    private void awaitDeath(Processes known) {
        for (int step = 0; step < DEATH_STEPS; step++) {
            var pause = DEATH_MAX.dividedBy(DEATH_STEPS);
            if (Uninterrupted.call(() -> known.first().awaitExit(pause))) {
                return;
            }
            // Somebody may have frozen it again.
            thaw();
        }
        throw new Unclean("process " + known.first().pid() + " does not die");
    }

    /// What a sink threw, if one did.
    Optional<RuntimeException> sinkFailure() {
        return pump.flatMap(Pump::failure);
    }

    private static void killAll(CgroupGroup group) {
        if (!Uninterrupted.call(group::killAll)) {
            throw new Unclean("something in " + group.name() + " does not die");
        }
    }

    /// How the program ended, in the kernel's words. Known once [#isDeserted()], or after
    /// [#kill()]. A kernel that does not tell leaves us bubblewrap's word, in which a signal is a
    /// code above 128.
    ExitStatus status() {
        var program = processes().program();
        return Uninterrupted.call(() -> machine.reaper().reap(program, DEATH_MAX))
                .orElseGet(() -> new ExitStatus.Exited(Uninterrupted.call(bubblewrap::waitFor)));
    }

    Optional<HandedOver> value() {
        control.awaitEnd(DEATH_MAX);
        return control.value();
    }

    /// Everything of this sandbox is gone when this returns, and its slot can be closed.
    @Override
    public void close() throws IOException {
        kill();
        Uninterrupted.call(bubblewrap::waitFor);
        processes.ifPresent(known -> {
            Uninterrupted.call(() -> machine.reaper().reap(known.first(), DEATH_MAX));
            known.close();
        });
        if (processes.isEmpty() && slot.user().isPresent()) {
            Orphans.bury(slot.user().getAsInt(), machine.reaper());
        }
        output.ifPresent(OutputPipes::close);
        map.ifPresent(IdMap::close);
        bubblewrap.getInputStream().close();
        bubblewrap.getErrorStream().close();
    }
}
