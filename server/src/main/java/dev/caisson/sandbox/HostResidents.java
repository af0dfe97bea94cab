package dev.caisson.sandbox;

import dev.caisson.linux.KernelException;
import java.io.IOException;
import java.time.Duration;
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
    private final Admission admission;
    private final Function<Runner, Optional<Boot>> boots;

    HostResidents(
            Machine machine,
            Preparation preparation,
            Pool pool,
            Admission admission,
            Function<Runner, Optional<Boot>> boots) {
        this.machine = machine;
        this.preparation = preparation;
        this.pool = pool;
        this.admission = admission;
        this.boots = boots;
    }

    @Override
    public Settling settle(Run first) throws InterruptedException {
        var boot = boots.apply(first.runner());
        if (boot.isEmpty()) {
            return failed("The runner %s is not there any more.".formatted(first.runner().name()));
        }
        admission.enter(first.caller());
        long entered = System.nanoTime();
        try {
            return new Settling.Settled(settle(first, boot.get()));
        } catch (Preparation.TooLittleMemory _) {
            return new Settling.Failed(
                    new Outcome.OutOfMemory(Outcome.Usage.NONE, Optional.empty()));
        } catch (IOException | KernelException failed) {
            LOG.error("no sandbox could be made for a session", failed);
            return failed(Preparation.NOT_MADE);
        } finally {
            admission.leave(first.caller(), Duration.ofNanos(System.nanoTime() - entered));
        }
    }

    private static Settling failed(String why) {
        return new Settling.Failed(new Outcome.Blocked(why, Outcome.Usage.NONE));
    }

    private Resident settle(Run first, Boot boot)
            throws IOException, InterruptedException, Preparation.TooLittleMemory {
        var prepared = prepared(first, boot);
        boolean settled = false;
        try {
            prepared.apply(first.limits());
            prepared.sandbox().attach(first.workspace());
            var residence =
                    new Residence(
                            machine, admission, prepared, boot, () -> preparation.end(prepared));
            settled = true;
            return residence;
        } finally {
            if (!settled) {
                preparation.end(prepared);
            }
        }
    }

    /// One that waits, if there is one.
    private Prepared prepared(Run first, Boot boot)
            throws IOException, InterruptedException, Preparation.TooLittleMemory {
        var waiting = pool.take(first.runner(), boot, first.limits());
        return waiting.isPresent()
                ? waiting.get()
                : preparation.prepare(boot, first.limits(), Optional.of(first.workspace()));
    }
}
