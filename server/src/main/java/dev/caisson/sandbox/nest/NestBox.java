package dev.caisson.sandbox.nest;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.ExitStatus;
import dev.caisson.linux.KeptNetwork;
import dev.caisson.linux.MemoryMount;
import dev.caisson.linux.NetworkNamespace;
import dev.caisson.linux.PidFd;
import dev.caisson.sandbox.Box;
import dev.caisson.sandbox.GuestOrder;
import dev.caisson.sandbox.HandedOver;
import dev.caisson.sandbox.Job;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.OutputReader;
import dev.caisson.sandbox.ProgramEnvironment;
import dev.caisson.sandbox.Unclean;
import dev.caisson.sandbox.Workspace;
import dev.caisson.sandbox.bubblewrap.LimitFiles;
import dev.caisson.sandbox.bubblewrap.SandboxKill;
import dev.caisson.sandbox.bubblewrap.SandboxMounts;
import dev.caisson.sandbox.bubblewrap.SandboxProcesses;
import dev.caisson.sandbox.bubblewrap.SandboxSpec;
import dev.caisson.sandbox.bubblewrap.Slot;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sandbox of a nest: a shell, whose death is everyone's in it, and the program in it.
final class NestBox implements Box {
    private static final Logger LOG = LoggerFactory.getLogger(NestBox.class);

    /// How long a sink may take for the last that was written.
    private static final Duration LAST_OUTPUT_MAX = Duration.ofSeconds(20);

    /// SIGINT, as a terminal sends it.
    private static final int INTERRUPT = 2;

    /// SIGTERM.
    private static final int TERMINATE = 15;

    private static final int KILLED = 9;

    private final Nest nest;
    private final Parts parts;
    private final Executor threads;
    private final SandboxKill killing;
    private Optional<Dialogue> dialogue = Optional.empty();
    private Optional<Limits> stated;
    private boolean hasProgram;
    private volatile boolean hasMore;

    /// What it is made of.
    ///
    /// @param limits it was made for
    /// @param files the names of the program's text, see [dev.caisson.sandbox.Boot]
    /// @param leader of the program's process group, which is gone
    /// @param network if it may serve again
    record Parts(
            NestUsers.Pair users,
            Slot slot,
            CgroupGroup group,
            Limits limits,
            List<String> files,
            NestPipes pipes,
            SandboxProcesses processes,
            PidFd leader,
            SandboxMounts mounts,
            Optional<KeptNetwork> network) {}

    NestBox(Nest nest, Parts parts, Executor threads) {
        this.nest = nest;
        this.parts = parts;
        this.threads = threads;
        this.stated = Optional.of(parts.limits());
        this.killing = new SandboxKill(Optional.of(parts.group()));
    }

    Parts parts() {
        return parts;
    }

    /// The limits that are stated to its programs, if that is known.
    Optional<Limits> stated() {
        return stated;
    }

    Nest nest() {
        return nest;
    }

    /// Takes out of its slot what it was given.
    void emptySlot() throws IOException {
        var program = parts.files().getFirst();
        if (hasProgram && !hasMore && parts.files().size() == 1) {
            parts.slot().emptyProgram(program);
        } else {
            parts.slot().empty(program);
        }
    }

    boolean hasBegun() {
        return dialogue.isPresent();
    }

    @Override
    public boolean isWaiting() {
        return !hasEnded() && nest.isAlive() && !nest.isExpired();
    }

    @Override
    public void apply(Limits wanted) {
        parts.group().update(SandboxSpec.groupLimits(wanted));
        if (stated.filter(before -> LimitFiles.areSame(before, wanted)).isEmpty()) {
            stated = Optional.empty();
            try {
                parts.slot().state(wanted);
                stated = Optional.of(wanted);
            } catch (IOException failed) {
                throw new UncheckedIOException("the limits cannot be stated", failed);
            }
        }
    }

    @Override
    public void holdMemory(Limits limits, long bytes) {
        parts.group().update(SandboxSpec.groupLimits(limits.withMemory(bytes)));
    }

    @Override
    public void attach(Workspace workspace) {
        parts.mounts().attach(workspace);
        if (workspace instanceof Workspace.Image(MemoryMount inMemory)) {
            stated.ifPresent(limits -> nest.ran(limits, inMemory.size()));
        }
    }

    @Override
    public void weigh(int weight) {
        parts.group().weigh(weight);
    }

    @Override
    public void onKill(Runnable dying) {
        killing.onKill(dying);
    }

    @Override
    public void handOver(Job job) throws IOException {
        parts.slot().write(parts.files(), job.code());
        hasProgram = true;
        var words = ProgramEnvironment.job(words(job.order()), job.env());
        var pipes = parts.pipes();
        dialogue =
                Optional.of(
                        Dialogue.ofRun(
                                parts.processes().first(),
                                pipes.control(),
                                pipes.status(),
                                new OutputReader(pipes.stdout(), pipes.stderr()),
                                job.sink(),
                                threads));
        nest.begun();
        try (var to = pipes.job()) {
            to.write(words);
        }
    }

    private List<String> words(GuestOrder order) throws IOException {
        var words = new ArrayList<String>();
        if (order.input().isPresent()) {
            var input = order.input().get().getBytes(StandardCharsets.UTF_8);
            words.add(ProgramEnvironment.input(put("stdin", input)));
        }
        if (order.display()) {
            words.add(ProgramEnvironment.DISPLAY);
        }
        return words;
    }

    @Override
    public Lines open(Receiver records) {
        var pipes = parts.pipes();
        dialogue =
                Optional.of(
                        Dialogue.ofSession(
                                parts.processes().first(),
                                pipes.control(),
                                pipes.status(),
                                records,
                                threads));
        nest.begun();
        OutputStream jobs = pipes.job();
        return new Lines(jobs, pipes.stdout(), pipes.stderr());
    }

    @Override
    public String put(String name, byte[] text) throws IOException {
        hasMore = true;
        return parts.slot().put(name, text);
    }

    @Override
    public void remove(String name) throws IOException {
        parts.slot().remove(name);
    }

    @Override
    public void showWrappers(Path directory) throws IOException {
        hasMore = true;
        parts.mounts().show(directory, parts.slot().place(WRAPPERS));
    }

    @Override
    public ServerSocketChannel listen(int port) throws IOException {
        return NetworkNamespace.listen(parts.processes().first(), port);
    }

    @Override
    public boolean canPark() {
        return killing.freezer().canFreeze();
    }

    @Override
    public boolean park() throws InterruptedException {
        return killing.freezer().freeze();
    }

    @Override
    public void unpark() {
        killing.freezer().thaw();
    }

    @Override
    public boolean awaitEnd(Duration atMost) throws InterruptedException {
        return dialogue.orElseThrow().await(atMost);
    }

    @Override
    public CompletableFuture<?> silence() {
        return dialogue.orElseThrow().silent();
    }

    @Override
    public boolean hasEnded() {
        return parts.processes().first().hasExited() || parts.processes().program().hasExited();
    }

    /// The kernel calls the first process of a shell dead when everything else in it is.
    @Override
    public boolean isDeserted() {
        return dialogue.filter(each -> each.ended().isDone()).isPresent();
    }

    @Override
    public void interrupt() {
        signal(INTERRUPT);
    }

    @Override
    public void terminate() {
        signal(TERMINATE);
    }

    private void signal(int number) {
        if (!parts.leader().signalGroup(number)) {
            parts.processes().program().signal(number);
        }
    }

    @Override
    public void kill() {
        try {
            killAll();
        } catch (Unclean slow) {
            LOG.warn("a killed sandbox is slow to die", slow);
        }
    }

    /// @throws Unclean when something does not die in time
    void killAll() {
        killWithoutWaiting();
        killing.awaitDeath(parts.processes().first());
        parts.pipes().stdout().finish();
        parts.pipes().stderr().finish();
        dialogue.ifPresent(each -> each.awaitUninterrupted(LAST_OUTPUT_MAX));
    }

    /// Whoever is in it is killed, unless everyone is dead.
    ///
    /// @throws Unclean when something does not die in time
    void clear() {
        if (isDeserted()) {
            killing.freezer().close();
        } else {
            killAll();
        }
    }

    @Override
    public void killWithoutWaiting() {
        killing.strike(Optional.of(parts.processes().first()));
    }

    @Override
    public ExitStatus status() {
        return dialogue.flatMap(Dialogue::status)
                .or(() -> parts.processes().program().exitStatus())
                .orElse(new ExitStatus.Signalled(KILLED, false));
    }

    @Override
    public boolean wasLost() {
        return dialogue.flatMap(Dialogue::status).isEmpty() && !nest.isAlive();
    }

    @Override
    public long memoryKills() {
        return parts.group().oomKills();
    }

    @Override
    public Duration cpuTime() {
        return parts.group().cpuTime();
    }

    @Override
    public OptionalLong memoryPeakBytes() {
        return OptionalLong.of(parts.group().memoryPeakBytes());
    }

    @Override
    public OptionalLong memoryBytes() {
        long bytes = parts.group().memoryBytes();
        return bytes > 0 ? OptionalLong.of(bytes) : OptionalLong.empty();
    }

    @Override
    public Optional<HandedOver> value() {
        return dialogue.flatMap(Dialogue::value);
    }

    @Override
    public Optional<RuntimeException> sinkFailure() {
        return dialogue.flatMap(Dialogue::failure);
    }

    @Override
    public void end(String caller) {
        nest.end(this, caller);
    }
}
