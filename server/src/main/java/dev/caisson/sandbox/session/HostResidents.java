package dev.caisson.sandbox.session;

import dev.caisson.linux.KernelException;
import dev.caisson.sandbox.Blueprint;
import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.Box;
import dev.caisson.sandbox.NotMade;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Parking;
import dev.caisson.sandbox.Resident;
import dev.caisson.sandbox.Residents;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.Runner;
import dev.caisson.sandbox.SandboxRuntime;
import dev.caisson.sandbox.TooLittleMemory;
import dev.caisson.sandbox.Unclean;
import dev.caisson.sandbox.pool.Places;
import dev.caisson.sandbox.pool.Pool;
import dev.caisson.share.HeldShare;
import dev.caisson.share.ResizableShare;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starter of residents: settles interpreters in sandboxes made by the same lines as those for one
/// run. An interpreter takes a place of the machine while it boots and while it runs a program, and
/// none while it waits for one.
public final class HostResidents implements Residents {
    private static final Logger LOG = LoggerFactory.getLogger(HostResidents.class);

    private final SandboxRuntime runtime;
    private final Executor threads;
    private final Pool pool;
    private final Places places;
    private final Parking parking;
    private final Duration grace;
    private final Function<Runner, Optional<Boot>> boots;

    public HostResidents(
            SandboxRuntime runtime,
            Executor threads,
            Pool pool,
            Places places,
            Parking parking,
            Duration grace,
            Function<Runner, Optional<Boot>> boots) {
        this.runtime = runtime;
        this.threads = threads;
        this.pool = pool;
        this.places = places;
        this.parking = parking;
        this.grace = grace;
        this.boots = boots;
    }

    @Override
    public Settling settle(Run first) throws InterruptedException {
        var boot = boots.apply(first.runner());
        if (boot.isEmpty()) {
            return failed("The runner %s is not there any more.".formatted(first.runner().name()));
        }
        var memory = places.reserveMemory(first.caller(), first.limits());
        boolean settled = false;
        try (var _ = places.enter(first.caller())) {
            var resident = settle(first.opened(), boot.get(), memory);
            settled = true;
            return new Settling.Settled(resident);
        } catch (TooLittleMemory _) {
            return new Settling.Failed(
                    new Outcome.OutOfMemory(Outcome.Usage.NONE, Optional.empty()));
        } catch (IOException | UncheckedIOException | KernelException | Unclean failed) {
            LOG.error("no sandbox could be made for a session", failed);
            return failed(NotMade.FOR_CALLERS);
        } finally {
            if (!settled) {
                memory.close();
            }
        }
    }

    @Override
    public boolean isShortByOwn(Run first, long resting) {
        return places.isShortByOwn(first.caller(), places.bytes(first.limits()), resting);
    }

    private static Settling failed(String why) {
        return new Settling.Failed(new Outcome.Blocked(why, Outcome.Usage.NONE));
    }

    private Resident settle(Run first, Boot boot, ResizableShare memory)
            throws IOException, InterruptedException, TooLittleMemory {
        var processes = places.reserveProcesses(first.caller(), first.limits());
        boolean made = false;
        try {
            var resident = settle(first, boot, memory, processes);
            made = true;
            return resident;
        } finally {
            if (!made) {
                processes.close();
            }
        }
    }

    private Resident settle(Run first, Boot boot, ResizableShare memory, HeldShare processes)
            throws IOException, InterruptedException, TooLittleMemory {
        var box = box(first, boot);
        var weight = places.weigh(first.caller(), box);
        box.onKill(weight::dying);
        Runnable leave =
                () -> {
                    try {
                        box.end(first.caller());
                    } finally {
                        weight.close();
                        processes.close();
                        memory.close();
                    }
                };
        boolean settled = false;
        try {
            box.apply(first.limits());
            box.attach(first.workspace());
            var resting = new RestingMemory(places, first.caller(), box, first.limits(), memory);
            var resident =
                    new ResidentSandbox(threads, places, parking, box, resting, boot, grace, leave);
            settled = true;
            return resident;
        } finally {
            if (!settled) {
                leave.run();
            }
        }
    }

    /// One that waits, if there is one.
    private Box box(Run first, Boot boot)
            throws IOException, InterruptedException, TooLittleMemory {
        var caller = first.caller();
        var owner = Optional.of(caller);
        var waiting =
                pool.take(first.runner(), boot, first.limits(), owner, places.hasOthers(caller));
        return waiting.isPresent()
                ? waiting.get()
                : runtime.make(
                        new Blueprint(
                                boot,
                                first.limits(),
                                Optional.of(first.workspace()),
                                places.weightOfNext(caller),
                                owner));
    }
}
