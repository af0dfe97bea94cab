package dev.caisson.sandbox.session;

import dev.caisson.linux.ExitStatus;
import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.Box;
import dev.caisson.sandbox.DoorListener;
import dev.caisson.sandbox.HostDoor;
import dev.caisson.sandbox.NetworkDoor;
import dev.caisson.sandbox.NetworkListener;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Parking;
import dev.caisson.sandbox.ProgramEnvironment;
import dev.caisson.sandbox.Resident;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.RunClock;
import dev.caisson.sandbox.Stage;
import dev.caisson.sandbox.Stages;
import dev.caisson.sandbox.StopCause;
import dev.caisson.sandbox.Uninterrupted;
import dev.caisson.sandbox.pool.Places;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Resident in a box: a sandbox whose guest is given one job after another. See [Resident] for what
/// holds.
///
/// A cell is over when its guest says so and everything it has written until then is passed on, or
/// when the interpreter is dead.
final class ResidentSandbox implements Resident {
    /// How often a program is interrupted within its grace. A shell may miss an interrupt that
    /// comes as it starts a command, so there is a second one.
    private static final int INTERRUPTS_MAX = 2;

    /// How long a guest may take to read that its program is to end, before it gets a signal. Node
    /// may lose a signal that comes as a program begins to wait, or die of it.
    private static final Duration READING_MAX = Duration.ofMillis(300);

    /// How long a sink may take for the last that was written, once the interpreter is dead. A sink
    /// that writes to a full or slow disk is waited for; one that hangs is not.
    private static final Duration LAST_OUTPUT_MAX = Duration.ofSeconds(20);

    private final Executor threads;
    private final Places places;
    private final Parking parking;
    private final Box box;
    private final RestingMemory memory;
    private final Duration grace;
    private final Runnable leave;
    private final CellFiles files;
    private final CellRecords records = new CellRecords();
    private final Box.Lines lines;
    private final SessionPump pump;
    private Optional<DoorListener> door = Optional.empty();
    private Optional<NetworkListener> network = Optional.empty();
    private boolean begun;
    private boolean closed;
    private long memoryKills;
    private Optional<Outcome> ended = Optional.empty();

    /// @param threads for what blocks in the kernel
    /// @param box with its workspace, and waiting for its first job
    /// @param memory that it holds
    /// @param grace how long an interrupted program has to end before the interpreter is killed
    /// @param leave ends the box, with what it stands on
    ResidentSandbox(
            Executor threads,
            Places places,
            Parking parking,
            Box box,
            RestingMemory memory,
            Boot boot,
            Duration grace,
            Runnable leave)
            throws IOException {
        this.threads = threads;
        this.places = places;
        this.parking = parking;
        this.box = box;
        this.memory = memory;
        this.grace = grace;
        this.leave = leave;
        this.files = new CellFiles(box, boot.files().getFirst());
        this.lines = box.open(records);
        this.pump = SessionPump.start(lines.stdout(), lines.stderr(), threads);
    }

    @Override
    public Outcome run(Run run) throws InterruptedException {
        long asked = System.nanoTime();
        memory.wake();
        try (var place = places.enter(run.caller())) {
            run.door().control().admitted(place, parking, run.caller());
            var watch = new Stages.Watch(Duration.ofNanos(System.nanoTime() - asked));
            var outcome = withNetwork(run.opened(), watch);
            return outcome.using(outcome.usage().in(watch.stages()));
        }
    }

    /// The way to the network is that of one cell, as is the one to the server.
    private Outcome withNetwork(Run run, Stages.Watch watch) {
        if (!run.network().isOpen()) {
            return withDoor(run, watch);
        }
        var listener = listener(run.network());
        try {
            return withDoor(listener.told(run), watch);
        } finally {
            listener.turnAway();
        }
    }

    private NetworkListener listener(NetworkDoor wanted) {
        try {
            if (network.isEmpty()) {
                network = Optional.of(NetworkListener.open(box, wanted));
            } else {
                network.get().turnTo(wanted);
            }
            return network.get();
        } catch (IOException failed) {
            throw new UncheckedIOException("nothing can listen in a session", failed);
        }
    }

    /// The way to the server is that of one cell: between cells it leads nowhere.
    private Outcome withDoor(Run run, Stages.Watch watch) {
        if (!run.door().isOpen()) {
            return answer(run, watch);
        }
        var listener = listener(run.door());
        try {
            return answer(run.reaching(listener.address()), watch);
        } finally {
            listener.turnAway();
        }
    }

    /// The first cell that has one decides what the session sees of other servers.
    private DoorListener listener(HostDoor wanted) {
        try {
            if (door.isEmpty()) {
                door = Optional.of(DoorListener.open(box, wanted));
            } else {
                door.get().turnTo(wanted);
            }
            return door.get();
        } catch (IOException failed) {
            throw new UncheckedIOException("nothing can listen in a session", failed);
        }
    }

    private Outcome answer(Run run, Stages.Watch watch) {
        var cpuBefore = box.cpuTime();
        pump.turnTo(run.sink());
        run.permit().await();
        // The program may be far when the next line here runs: its time begins before it does.
        watch.ended(Stage.ATTACH);
        var clock = new RunClock(run.limits().wall());
        CompletableFuture<CellRecord> answer;
        StopCause ending;
        try (var _ = run.door().control().begins(box, clock)) {
            answer = handOver(run);
            ending = await(answer, clock);
        }
        boolean answered = answer.isDone() || (ending != StopCause.BY_ITSELF && heeds(run, answer));
        long wall = watch.ended(Stage.RUN, clock.stood()).toMillis();
        if (answered) {
            pump.turnAway();
        } else {
            reap();
        }
        throwFailure();
        var usage = usage(watch, wall, cpuBefore);
        return answered ? lives(ending, answer.join(), usage) : died(ending, usage);
    }

    /// The guest may not be reading: whoever writes waits for it, and nobody waits for whoever
    /// writes.
    private CompletableFuture<CellRecord> handOver(Run run) {
        var words = new ArrayList<String>();
        try {
            words.add(files.write(run.code()));
            var input = files.input(run.order().input());
            input.map(ProgramEnvironment::input).ifPresent(words::add);
        } catch (IOException failed) {
            throw new UncheckedIOException("a cell cannot be written", failed);
        }
        if (run.order().display()) {
            words.add(ProgramEnvironment.DISPLAY);
        }
        var answer = records.expect(words.getFirst());
        var job = job(words, run);
        threads.execute(() -> write(job));
        return answer;
    }

    private byte[] job(List<String> words, Run run) {
        var job =
                begun
                        ? ProgramEnvironment.nextJob(words, run.env())
                        : ProgramEnvironment.job(words, run.runner().variables(run.variables()));
        begun = true;
        return job;
    }

    private void write(byte[] job) {
        try {
            lines.jobs().write(job);
            lines.jobs().flush();
        } catch (IOException closed) {
            // Who does not listen does not answer either: the interpreter is useless.
            kill();
        }
    }

    private StopCause await(CompletableFuture<CellRecord> answer, RunClock clock) {
        var over = CompletableFuture.anyOf(answer, box.silence());
        try {
            return clock.await(atMost -> isDone(over, atMost))
                    ? StopCause.BY_ITSELF
                    : StopCause.OUT_OF_TIME;
        } catch (InterruptedException cancelled) {
            return StopCause.CANCELLED;
        }
    }

    private static boolean isDone(CompletableFuture<?> over, Duration atMost)
            throws InterruptedException {
        try {
            over.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException late) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("nothing fails here", impossible);
        }
    }

    /// Interrupts the program, and says whether it ended by that and left the interpreter alive.
    private boolean heeds(Run run, CompletableFuture<CellRecord> answer) {
        if (run.runner().language().readsWhileWaiting()) {
            threads.execute(() -> write(ProgramEnvironment.interruption()));
            awaitBriefly(answer, READING_MAX);
        }
        for (int time = 0; time < INTERRUPTS_MAX && !answer.isDone(); time++) {
            box.interrupt();
            awaitBriefly(answer, grace.dividedBy(INTERRUPTS_MAX));
        }
        return answer.isDone();
    }

    private void awaitBriefly(CompletableFuture<CellRecord> answer, Duration atMost) {
        CompletableFuture.anyOf(answer, box.silence())
                .completeOnTimeout(false, atMost.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /// Someone who closed the way to us, and lives, has a moment to end by itself.
    private void reap() {
        if (box.silence().isDone()) {
            Uninterrupted.call(() -> box.awaitEnd(grace));
        }
        box.kill();
        pump.awaitEnd(LAST_OUTPUT_MAX);
    }

    private Outcome lives(StopCause ending, CellRecord record, Outcome.Usage usage) {
        var status = new ExitStatus.Exited(record.code().orElse(0));
        return ending.outcome(status, newMemoryKills(), usage, record.value());
    }

    private Outcome died(StopCause ending, Outcome.Usage usage) {
        var outcome = ending.outcome(box.status(), newMemoryKills(), usage, records.lastValue());
        synchronized (this) {
            ended = Optional.of(outcome);
        }
        return outcome;
    }

    private long newMemoryKills() {
        long all = box.memoryKills();
        long since = all - memoryKills;
        memoryKills = all;
        return since;
    }

    private void throwFailure() {
        pump.failure()
                .ifPresent(failure -> {
                    throw failure;
                });
    }

    private Outcome.Usage usage(Stages.Watch watch, long wall, Duration cpuBefore) {
        return new Outcome.Usage(
                watch.stages().of(Stage.QUEUE).toMillis(),
                wall,
                box.cpuTime().minus(cpuBefore).toMillis(),
                box.memoryPeakBytes().orElse(0));
    }

    @Override
    public long rest() {
        return memory.rest();
    }

    @Override
    public boolean isShortByOwn(long resting) {
        return memory.isShortByOwn(resting);
    }

    @Override
    public synchronized OptionalLong memoryBytes() {
        return closed ? OptionalLong.empty() : box.memoryBytes();
    }

    /// Between two programs it may have died of something they left behind.
    @Override
    public Optional<Outcome> ended() {
        if (known().isEmpty() && box.hasEnded()) {
            reap();
            return Optional.of(died(StopCause.BY_ITSELF, Outcome.Usage.NONE));
        }
        return known();
    }

    private synchronized Optional<Outcome> known() {
        return ended;
    }

    @Override
    public synchronized void kill() {
        if (!closed) {
            box.killWithoutWaiting();
        }
    }

    @Override
    public void close() {
        door.ifPresent(DoorListener::close);
        network.ifPresent(NetworkListener::close);
        try {
            box.kill();
            pump.awaitEnd(LAST_OUTPUT_MAX);
        } finally {
            synchronized (this) {
                closed = true;
            }
            leave.run();
        }
    }
}
