package dev.caisson.sandbox.pool;

import dev.caisson.share.HeldShare;
import dev.caisson.share.ResizableShare;
import dev.caisson.share.WaitingShare;
import java.util.Optional;

/// Place of one run, with the memory and the processes of its sandbox where those are its own. It
/// can be left for a while: then others have the place, and all memory that the run does not use.
public final class HeldPlace implements HeldShare {
    private final WaitingShare places;
    private final String caller;
    private final Optional<ResizableShare> memory;
    private final long bytes;
    private final HeldShare others;
    private Optional<HeldShare> place;
    private boolean closed;

    /// @param others what it holds beside, and keeps
    HeldPlace(
            WaitingShare places,
            String caller,
            HeldShare place,
            Optional<ResizableShare> memory,
            HeldShare others) {
        this.places = places;
        this.caller = caller;
        this.place = Optional.of(place);
        this.memory = memory;
        this.bytes = memory.map(ResizableShare::amount).orElse(0L);
        this.others = others;
    }

    /// @param used memory that it keeps
    public synchronized void leave(long used) {
        if (!closed) {
            memory.ifPresent(held -> held.shrink(Math.min(used, bytes)));
            place.ifPresent(HeldShare::close);
            place = Optional.empty();
        }
    }

    /// Waits for what was left, before those who come for the first time.
    ///
    /// @throws dev.caisson.call.Refusal when the server stops
    public void comeBack() throws InterruptedException {
        if (memory.isPresent()) {
            memory.get().growBack(bytes);
        }
        if (isAway()) {
            var taken = places.takeBack(caller, 1, 0);
            if (!entered(taken)) {
                taken.close();
            }
        }
    }

    private synchronized boolean isAway() {
        return !closed && place.isEmpty();
    }

    private synchronized boolean entered(HeldShare taken) {
        if (!isAway()) {
            return false;
        }
        place = Optional.of(taken);
        return true;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            place.ifPresent(HeldShare::close);
            others.close();
            memory.ifPresent(HeldShare::close);
        }
    }
}
