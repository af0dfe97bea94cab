package dev.caisson.sandbox;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.KernelException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/// One run in a sandbox that was made ready. It does not matter for whom it was made, nor when.
final class Execution {
    private final Prepared prepared;
    private final Boot boot;
    private final Stages.Watch watch;

    /// @param watch knows for how long the run waited
    Execution(Prepared prepared, Boot boot, Stages.Watch watch) {
        this.prepared = prepared;
        this.boot = boot;
        this.watch = watch;
    }

    /// The sandbox died, or could not be given its job: nothing of the run has happened.
    static final class NeverBegan extends Exception {
        private static final long serialVersionUID = 1L;

        NeverBegan(Exception cause) {
            super(cause);
        }
    }

    /// The outcome, when everything the run started is dead. What bubblewrap has left to do in an
    /// empty sandbox is not waited for.
    Outcome of(Run run) throws NeverBegan {
        var sandbox = prepared.sandbox();
        var group = prepared.group();
        attach(run);
        run.permit().await();
        var before = cpuTime();
        // The program may be far when the next line here runs: its time begins before it does.
        watch.ended(Stage.ATTACH);
        handOver(run);
        var ending = await(sandbox, run.limits().wall());
        long wall = watch.ended(Stage.RUN).toMillis();
        if (!sandbox.isDeserted()) {
            sandbox.killInTime();
        }
        sandbox.sinkFailure()
                .ifPresent(failure -> {
                    throw failure;
                });
        long memoryKills = group.map(CgroupGroup::oomKills).orElse(0L);
        return ending.outcome(
                sandbox.status(),
                memoryKills,
                usage(wall, cpuTime().minus(before)),
                sandbox.value());
    }

    private void attach(Run run) throws NeverBegan {
        try {
            prepared.apply(run.limits());
            prepared.sandbox().attach(run.workspace());
        } catch (UncheckedIOException | KernelException | IllegalStateException failed) {
            throw new NeverBegan(failed);
        }
    }

    private void handOver(Run run) throws NeverBegan {
        try {
            prepared.sandbox().handOver(run, boot.files());
        } catch (IOException | UncheckedIOException failed) {
            throw new NeverBegan(failed);
        }
    }

    /// What the interpreter took to boot is not the program's.
    private Duration cpuTime() {
        return prepared.group().map(CgroupGroup::cpuTime).orElse(Duration.ZERO);
    }

    private Outcome.Usage usage(long wall, Duration cpu) {
        var group = prepared.group();
        return new Outcome.Usage(
                watch.stages().of(Stage.QUEUE).toMillis(),
                wall,
                cpu.toMillis(),
                group.map(CgroupGroup::memoryPeakBytes).orElse(0L));
    }

    private static Ending await(Sandbox sandbox, Duration wall) {
        try {
            return sandbox.awaitEnd(wall) ? Ending.BY_ITSELF : Ending.OUT_OF_TIME;
        } catch (InterruptedException cancelled) {
            return Ending.CANCELLED;
        }
    }
}
