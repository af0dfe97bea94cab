package dev.caisson.sandbox.session;

import dev.caisson.sandbox.Box;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.pool.Places;
import dev.caisson.share.ResizableShare;
import java.io.UncheckedIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Memory that a resident holds: all of its limit while a program runs, and between two programs
/// what it uses with some room for what goes on inside.
///
/// The kernel limits the box to what it holds, at any time: the limits of all sandboxes together
/// stay within what there is, so none is ended for what another one takes. Where the kernel
/// measures nothing, a resident holds its limit all the time.
final class RestingMemory {
    /// What may be added between two programs, at least.
    static final long ROOM_BYTES = 32L << 20;

    /// What may be added otherwise, of what is used.
    private static final int ROOM_DIVISOR = 4;

    private static final Logger LOG = LoggerFactory.getLogger(RestingMemory.class);

    private final Places places;
    private final String caller;
    private final Box box;
    private final Limits limits;
    private final ResizableShare held;
    private final long full;

    /// @param held as much as the limits need
    RestingMemory(Places places, String caller, Box box, Limits limits, ResizableShare held) {
        this.places = places;
        this.caller = caller;
        this.box = box;
        this.limits = limits;
        this.held = held;
        this.full = held.amount();
    }

    /// The kernel knows the lower limit before anybody else has the rest.
    long rest() {
        try {
            long used = box.memoryBytes().orElse(full);
            long wanted = used + Math.max(ROOM_BYTES, used / ROOM_DIVISOR);
            if (wanted < held.amount()) {
                box.holdMemory(limits, wanted);
                held.shrink(wanted);
            }
        } catch (UncheckedIOException | IllegalStateException refused) {
            LOG.debug("a session keeps all of its memory", refused);
        }
        return held.amount();
    }

    boolean isShortByOwn(long resting) {
        long missing = full - held.amount();
        return missing > 0 && places.isShortByOwn(caller, missing, resting);
    }

    /// Waits for what was given back.
    ///
    /// @throws dev.caisson.call.Refusal when there is no capacity
    void wake() throws InterruptedException {
        held.grow(full);
        box.holdMemory(limits, limits.memoryBytes());
    }
}
