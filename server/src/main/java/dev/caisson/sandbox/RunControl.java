package dev.caisson.sandbox;

import dev.caisson.call.Refusal;
import dev.caisson.sandbox.pool.HeldPlace;
import dev.caisson.share.HeldShare;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Control of one run by whoever waits outside its sandbox for what its program needs, such as the
/// decision of a person: the run is parked meanwhile. Its processes stand still and use no
/// processor, its time limit does not go on, and its place belongs to others. Its memory stays
/// charged.
///
/// Every way out lets the processes go on first, for what stands still cannot even die.
///
/// Parked and unparked by one thread at a time; the run may end at any moment.
public final class RunControl {
    /// Held while it is frozen or thawed: nothing freezes what is over.
    private final ReentrantLock turn = new ReentrantLock();

    private Optional<Seat> seat = Optional.empty();
    private Optional<Program> program = Optional.empty();
    private Optional<HeldShare> parked = Optional.empty();
    private Duration stood = Duration.ZERO;

    /// What the run has of the machine.
    private record Seat(HeldPlace place, Parking parking, String caller) {}

    private record Program(Seat seat, Box box, RunClock clock) {}

    /// The time in which a program runs.
    public interface Running extends AutoCloseable {
        /// The program goes on, whatever became of it, and can be parked no more.
        @Override
        void close();
    }

    /// It has its place.
    public synchronized void admitted(HeldPlace place, Parking parking, String caller) {
        seat = Optional.of(new Seat(place, parking, caller));
    }

    /// Its program is about to begin.
    public synchronized Running begins(Box box, RunClock clock) {
        program = seat.map(had -> new Program(had, box, clock));
        return this::ended;
    }

    private void ended() {
        turn.lock();
        try {
            var was = program();
            was.ifPresent(RunControl::goOn);
            synchronized (this) {
                program = Optional.empty();
                stood = was.map(each -> each.clock().stood()).orElse(stood);
            }
            freeRoom();
        } finally {
            turn.unlock();
        }
    }

    private static void goOn(Program program) {
        program.clock().goOn();
        program.box().unpark();
    }

    private void freeRoom() {
        Optional<HeldShare> room;
        synchronized (this) {
            room = parked;
            parked = Optional.empty();
        }
        room.ifPresent(HeldShare::close);
    }

    private synchronized Optional<Program> program() {
        return program;
    }

    /// Whether its program runs where it can be made to stand still.
    public boolean canPark() {
        return program().filter(each -> each.box().canPark()).isPresent();
    }

    /// For how long it was parked until now.
    public synchronized Duration stood() {
        return program.map(each -> each.clock().stood()).orElse(stood);
    }

    /// @return false when it cannot be, or is over
    /// @throws Refusal NO_CAPACITY when too much stands still already
    public boolean park() throws InterruptedException {
        turn.lockInterruptibly();
        try {
            var now = program().filter(each -> each.box().canPark());
            return now.isPresent() && park(now.get());
        } finally {
            turn.unlock();
        }
    }

    private boolean park(Program now) throws InterruptedException {
        var caller = now.seat().caller();
        var room = now.seat().parking().enter(caller, now.box());
        Optional<HeldShare> memory = Optional.empty();
        boolean done = false;
        try {
            now.clock().stop();
            if (!now.box().park()) {
                return false;
            }
            long bytes = Math.max(1, now.box().memoryBytes().orElse(1));
            memory = Optional.of(now.seat().parking().charge(caller, bytes));
            stands(both(room, memory.get()));
            now.seat().place().leave(bytes);
            done = true;
            return true;
        } finally {
            if (!done) {
                goOn(now);
                memory.ifPresent(HeldShare::close);
                room.close();
            }
        }
    }

    private static HeldShare both(HeldShare one, HeldShare other) {
        return () -> {
            other.close();
            one.close();
        };
    }

    private synchronized void stands(HeldShare room) {
        parked = Optional.of(room);
    }

    /// The program goes on as soon as it has its place again, before any that is new. Does nothing
    /// for one that is not parked.
    ///
    /// @throws InterruptedException when the run is over
    public void unpark() throws InterruptedException {
        Optional<Program> now;
        synchronized (this) {
            now = parked.isPresent() ? program : Optional.empty();
        }
        if (now.isPresent()) {
            comeBack(now.get());
            turn.lock();
            try {
                freeRoom();
                program().ifPresent(RunControl::goOn);
            } finally {
                turn.unlock();
            }
        }
    }

    /// Whoever is interrupted leaves no program behind that stands still for ever.
    private void comeBack(Program waiting) throws InterruptedException {
        boolean interrupted = false;
        boolean back = false;
        while (!back) {
            try {
                waiting.seat().place().comeBack();
                back = true;
            } catch (InterruptedException ended) {
                if (program().isEmpty()) {
                    throw ended;
                }
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
