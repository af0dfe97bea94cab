package dev.caisson.sandbox;

import dev.caisson.linux.KernelException;
import dev.caisson.share.Held;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Settles interpreters in sandboxes of this machine, made by the same lines as those for one run.
/// An interpreter takes a place of the machine while it boots and while it runs a program, and none
/// while it waits for one.
final class HostResidents implements Residents {
    private static final Logger LOG = LoggerFactory.getLogger(HostResidents.class);

    private final Machine machine;
    private final Preparation preparation;
    private final Pool pool;
    private final Places places;
    private final Function<Runner, Optional<Boot>> boots;

    HostResidents(
            Machine machine,
            Preparation preparation,
            Pool pool,
            Places places,
            Function<Runner, Optional<Boot>> boots) {
        this.machine = machine;
        this.preparation = preparation;
        this.pool = pool;
        this.places = places;
        this.boots = boots;
    }

    @Override
    public Settling settle(Run first) throws InterruptedException {
        var boot = boots.apply(first.runner());
        if (boot.isEmpty()) {
            return failed("The runner %s is not there any more.".formatted(first.runner().name()));
        }
        var memory = places.reserve(first.caller(), first.limits());
        boolean settled = false;
        try (var _ = places.enter(first.caller())) {
            var resident = settle(first.opened(), boot.get(), memory);
            settled = true;
            return new Settling.Settled(resident);
        } catch (Preparation.TooLittleMemory _) {
            return new Settling.Failed(
                    new Outcome.OutOfMemory(Outcome.Usage.NONE, Optional.empty()));
        } catch (IOException | UncheckedIOException | KernelException | Unclean failed) {
            LOG.error("no sandbox could be made for a session", failed);
            return failed(Preparation.NOT_MADE);
        } finally {
            if (!settled) {
                memory.close();
            }
        }
    }

    private static Settling failed(String why) {
        return new Settling.Failed(new Outcome.Blocked(why, Outcome.Usage.NONE));
    }

    private Resident settle(Run first, Boot boot, Held memory)
            throws IOException, InterruptedException, Preparation.TooLittleMemory {
        var prepared = prepared(first, boot);
        var weight = places.weigh(first.caller(), prepared.group());
        prepared.sandbox().hastenedBy(weight::dying);
        Runnable leave =
                () -> {
                    try {
                        preparation.end(prepared, first.caller());
                    } finally {
                        weight.close();
                        memory.close();
                    }
                };
        boolean settled = false;
        try {
            prepared.apply(first.limits());
            prepared.sandbox().attach(first.workspace());
            var residence = new Residence(machine, places, prepared, boot, leave);
            settled = true;
            return residence;
        } finally {
            if (!settled) {
                leave.run();
            }
        }
    }

    /// One that waits, if there is one.
    private Prepared prepared(Run first, Boot boot)
            throws IOException, InterruptedException, Preparation.TooLittleMemory {
        var caller = first.caller();
        var waiting = pool.take(first.runner(), boot, first.limits(), places.hasOthers(caller));
        return waiting.isPresent()
                ? waiting.get()
                : preparation.prepare(
                        boot,
                        first.limits(),
                        Optional.of(first.workspace()),
                        places.weightOfNext(caller));
    }
}
