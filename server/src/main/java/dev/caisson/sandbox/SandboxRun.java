package dev.caisson.sandbox;

import dev.caisson.linux.KernelException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/// Execution of one run in a box that was made ready. It does not matter for whom the box was made,
/// nor when, nor how.
final class SandboxRun {
    private final Box box;
    private final Stages.Watch watch;
    private final Furnishing furnishing;

    /// @param watch knows for how long the run waited
    /// @param furnishing what is done to the box before its program starts
    SandboxRun(Box box, Stages.Watch watch, Furnishing furnishing) {
        this.box = box;
        this.watch = watch;
        this.furnishing = furnishing;
    }

    /// Adds something to a box whose guest waits.
    @FunctionalInterface
    interface Furnishing {
        void of(Box box) throws IOException;
    }

    /// The sandbox died, or could not be given its job: nothing of the run has happened.
    static final class NeverBegan extends Exception {
        private static final long serialVersionUID = 1L;

        NeverBegan(Exception cause) {
            super(cause);
        }
    }

    /// The outcome, when everything the run started is dead. What a runtime has left to do in an
    /// empty box is not waited for.
    Outcome of(Run run) throws NeverBegan {
        attach(run);
        if (!run.network().isOpen()) {
            return withDoor(run);
        }
        try (var listener = open(run.network())) {
            return withDoor(listener.told(run));
        }
    }

    private Outcome withDoor(Run run) throws NeverBegan {
        if (!run.door().isOpen()) {
            return begun(run);
        }
        try (var listener = open(run.door())) {
            return begun(run.reaching(listener.address()));
        }
    }

    private Outcome begun(Run run) throws NeverBegan {
        run.permit().await();
        // What the interpreter took to boot is not the program's.
        var before = box.cpuTime();
        // The program may be far when the next line here runs: its time begins before it does.
        watch.ended(Stage.ATTACH);
        var clock = new RunClock(run.limits().wall());
        var ending = running(run, clock);
        long wall = watch.ended(Stage.RUN, clock.stood()).toMillis();
        if (!box.isDeserted()) {
            box.kill();
        }
        box.sinkFailure()
                .ifPresent(failure -> {
                    throw failure;
                });
        var cause = box.wasLost() ? StopCause.CANCELLED : ending;
        return cause.outcome(
                box.status(),
                box.memoryKills(),
                usage(wall, box.cpuTime().minus(before)),
                box.value());
    }

    private void attach(Run run) throws NeverBegan {
        try {
            box.apply(run.limits());
            box.attach(run.workspace());
            furnishing.of(box);
        } catch (IOException
                | UncheckedIOException
                | KernelException
                | IllegalStateException failed) {
            throw new NeverBegan(failed);
        }
    }

    private DoorListener open(HostDoor door) throws NeverBegan {
        try {
            return DoorListener.open(box, door);
        } catch (IOException | UncheckedIOException | KernelException failed) {
            throw new NeverBegan(failed);
        }
    }

    private NetworkListener open(NetworkDoor door) throws NeverBegan {
        try {
            return NetworkListener.open(box, door);
        } catch (IOException | UncheckedIOException | KernelException failed) {
            throw new NeverBegan(failed);
        }
    }

    private void handOver(Run run) throws NeverBegan {
        try {
            box.handOver(
                    new Job(
                            run.code(),
                            run.runner().variables(run.variables()),
                            run.sink(),
                            run.order()));
        } catch (IOException | UncheckedIOException failed) {
            throw new NeverBegan(failed);
        }
    }

    private Outcome.Usage usage(long wall, Duration cpu) {
        return new Outcome.Usage(
                watch.stages().of(Stage.QUEUE).toMillis(),
                wall,
                cpu.toMillis(),
                box.memoryPeakBytes().orElse(0));
    }

    private StopCause running(Run run, RunClock clock) throws NeverBegan {
        try (var _ = run.door().control().begins(box, clock)) {
            handOver(run);
            return await(clock);
        }
    }

    private StopCause await(RunClock clock) {
        try {
            return clock.await(box::awaitEnd) ? StopCause.BY_ITSELF : StopCause.OUT_OF_TIME;
        } catch (InterruptedException cancelled) {
            return StopCause.CANCELLED;
        }
    }
}
