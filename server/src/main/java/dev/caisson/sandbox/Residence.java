package dev.caisson.sandbox;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.ExitStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A resident in one slot: a sandbox whose guest is given one job after another. See [Resident] for
/// what holds.
///
/// A cell is over when its guest says so and everything it has written until then is passed on, or
/// when the interpreter is dead.
final class Residence implements Resident {
    /// How long an interrupted program has to end before the interpreter is killed.
    static final Duration GRACE = Duration.ofSeconds(2);

    private static final int INTERRUPTS = 2;

    private static final int INTERRUPT = 2;
    private static final Duration LAST_OUTPUT_MAX = Duration.ofSeconds(20);

    private final Machine machine;
    private final Places places;
    private final Optional<CgroupGroup> group;
    private final Sandbox sandbox;
    private final Runnable leave;
    private final CellFiles files;
    private final CellRecords records = new CellRecords();
    private final Sandbox.Lines lines;
    private final Spout spout;
    private boolean begun;
    private boolean closed;
    private long memoryKills;
    private Optional<Outcome> ended = Optional.empty();

    /// @param prepared with its workspace, and waiting for its first job
    /// @param leave takes the sandbox apart, with what it stands on
    Residence(Machine machine, Places places, Prepared prepared, Boot boot, Runnable leave)
            throws IOException {
        this.machine = machine;
        this.places = places;
        this.group = prepared.group();
        this.sandbox = prepared.sandbox();
        this.leave = leave;
        this.files = new CellFiles(prepared.slot(), boot.files().getFirst());
        this.lines = sandbox.open(records);
        this.spout = Spout.start(lines.stdout(), lines.stderr(), machine.threads());
    }

    @Override
    public Outcome run(Run run) throws InterruptedException {
        long asked = System.nanoTime();
        try (var _ = places.enter(run.caller())) {
            var watch = new Stages.Watch(Duration.ofNanos(System.nanoTime() - asked));
            var outcome = answer(run.opened(), watch);
            return outcome.using(outcome.usage().in(watch.stages()));
        }
    }

    private Outcome answer(Run run, Stages.Watch watch) {
        var cpuBefore = cpuTime();
        spout.turnTo(run.sink());
        run.permit().await();
        // The program may be far when the next line here runs: its time begins before it does.
        watch.ended(Stage.ATTACH);
        var answer = handOver(run);
        var ending = await(answer, run.limits().wall());
        boolean answered = answer.isDone() || (ending != Ending.BY_ITSELF && heeds(answer));
        long wall = watch.ended(Stage.RUN).toMillis();
        if (answered) {
            spout.turnAway();
        } else {
            bury();
        }
        throwFailure();
        var usage = usage(watch, wall, cpuBefore);
        return answered ? lives(ending, answer.join(), usage) : died(ending, usage);
    }

    /// The guest may not be reading: whoever writes waits for it, and nobody waits for whoever
    /// writes.
    private CompletableFuture<CellRecord> handOver(Run run) {
        String file;
        try {
            file = files.write(run.code());
        } catch (IOException failed) {
            throw new UncheckedIOException("a cell cannot be written", failed);
        }
        var answer = records.expect(file);
        var job = job(file, run.env());
        machine.threads().execute(() -> write(job));
        return answer;
    }

    private byte[] job(String file, Map<String, String> env) {
        var job = begun ? Environment.nextCell(file, env) : Environment.firstCell(file, env);
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

    private Ending await(CompletableFuture<CellRecord> answer, Duration wall) {
        try {
            CompletableFuture.anyOf(answer, sandbox.silence())
                    .get(Math.max(1, wall.toMillis()), TimeUnit.MILLISECONDS);
            return Ending.BY_ITSELF;
        } catch (TimeoutException late) {
            return Ending.OUT_OF_TIME;
        } catch (InterruptedException cancelled) {
            return Ending.CANCELLED;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("nothing fails here", impossible);
        }
    }

    /// Interrupts the program, and says whether it ended by that and left the interpreter alive. A
    /// shell may miss an interrupt that comes as it starts a command, so there is a second one.
    private boolean heeds(CompletableFuture<CellRecord> answer) {
        for (int time = 0; time < INTERRUPTS && !answer.isDone(); time++) {
            interrupt();
            CompletableFuture.anyOf(answer, sandbox.silence())
                    .completeOnTimeout(false, GRACE.toMillis() / INTERRUPTS, TimeUnit.MILLISECONDS)
                    .join();
        }
        return answer.isDone();
    }

    private void interrupt() {
        var processes = sandbox.processes();
        if (!processes.first().signalGroup(INTERRUPT)) {
            processes.program().signal(INTERRUPT);
        }
    }

    /// Someone who closed the way to us, and lives, has a moment to end by itself.
    private void bury() {
        if (sandbox.silence().isDone()) {
            Uninterrupted.call(() -> sandbox.awaitEnd(GRACE));
        }
        sandbox.killInTime();
        spout.awaitEnd(LAST_OUTPUT_MAX);
    }

    private Outcome lives(Ending ending, CellRecord record, Outcome.Usage usage) {
        var status = new ExitStatus.Exited(record.code().orElse(0));
        return ending.outcome(status, newMemoryKills(), usage, record.value());
    }

    private Outcome died(Ending ending, Outcome.Usage usage) {
        var outcome =
                ending.outcome(sandbox.status(), newMemoryKills(), usage, records.lastValue());
        synchronized (this) {
            ended = Optional.of(outcome);
        }
        return outcome;
    }

    private long newMemoryKills() {
        long all = group.map(CgroupGroup::oomKills).orElse(0L);
        long since = all - memoryKills;
        memoryKills = all;
        return since;
    }

    private void throwFailure() {
        spout.failure()
                .ifPresent(failure -> {
                    throw failure;
                });
    }

    private Outcome.Usage usage(Stages.Watch watch, long wall, Duration cpuBefore) {
        return new Outcome.Usage(
                watch.stages().of(Stage.QUEUE).toMillis(),
                wall,
                cpuTime().minus(cpuBefore).toMillis(),
                group.map(CgroupGroup::memoryPeakBytes).orElse(0L));
    }

    private Duration cpuTime() {
        return group.map(CgroupGroup::cpuTime).orElse(Duration.ZERO);
    }

    /// Between two programs it may have died of something they left behind.
    @Override
    public Optional<Outcome> ended() {
        if (known().isEmpty() && sandbox.hasEnded()) {
            bury();
            return Optional.of(died(Ending.BY_ITSELF, Outcome.Usage.NONE));
        }
        return known();
    }

    private synchronized Optional<Outcome> known() {
        return ended;
    }

    @Override
    public synchronized void kill() {
        if (!closed) {
            sandbox.strike();
        }
    }

    @Override
    public void close() {
        try {
            sandbox.killInTime();
            spout.awaitEnd(LAST_OUTPUT_MAX);
        } finally {
            synchronized (this) {
                closed = true;
            }
            leave.run();
        }
    }
}
