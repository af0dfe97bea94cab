package dev.caisson.door;

import dev.caisson.call.Refusal;
import dev.caisson.sandbox.RunControl;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Parking of one run whose program waits for people: it stands still when every call that it has
/// under way waits for a decision, after a grace, and goes on with the first decision. A program
/// that has something else to do uses its own time.
final class RunParking {
    private static final Logger LOG = LoggerFactory.getLogger(RunParking.class);

    private final RunControl control;
    private final CallDeadlines timer;
    private final Duration grace;

    /// Held while the run is parked or goes on.
    private final ReentrantLock turn = new ReentrantLock();

    private final Map<ServedCall, String> waiting = new LinkedHashMap<>();
    private int open;
    private long changes;
    private boolean parked;
    private volatile List<String> awaited = List.of();

    RunParking(RunControl control, CallDeadlines timer, Duration grace) {
        this.control = control;
        this.timer = timer;
        this.grace = grace;
    }

    /// One more call is under way; it came before the program stood still.
    void entered() throws InterruptedException {
        turn.lockInterruptibly();
        try {
            open++;
            changed();
            goOn();
        } finally {
            turn.unlock();
        }
    }

    void left() {
        turn.lock();
        try {
            open--;
            changed();
            plan();
        } finally {
            turn.unlock();
        }
    }

    /// A call waits for a person.
    ///
    /// @param approval that it waits for
    void waits(ServedCall call, String approval) throws InterruptedException {
        turn.lockInterruptibly();
        try {
            waiting.put(call, approval);
            changed();
            if (control.canPark()) {
                call.deadline().stop();
            }
            plan();
        } finally {
            turn.unlock();
        }
    }

    /// A call waits no more; returns when the program goes on.
    void goesOn(ServedCall call) throws InterruptedException {
        turn.lockInterruptibly();
        try {
            waiting.remove(call);
            changed();
            goOn();
        } finally {
            turn.unlock();
            call.deadline().goOn();
        }
    }

    /// The approvals that are waited for, if nothing else is.
    List<String> awaited() {
        return awaited;
    }

    private void changed() {
        changes++;
        awaited = waiting.size() == open ? List.copyOf(waiting.values()) : List.of();
    }

    private void goOn() throws InterruptedException {
        if (parked) {
            parked = false;
            control.unpark();
        }
    }

    private void plan() {
        if (allWait()) {
            long planned = changes;
            timer.after(grace, () -> Thread.ofVirtual().name("parking").start(() -> park(planned)));
        }
    }

    private boolean allWait() {
        return !waiting.isEmpty() && waiting.size() == open && !parked;
    }

    /// Unless something has changed since it was planned.
    private void park(long planned) {
        turn.lock();
        try {
            if (planned == changes && allWait()) {
                parked = control.park();
            }
        } catch (Refusal full) {
            waiting.keySet().forEach(call -> call.refuse(full));
        } catch (InterruptedException impossible) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failed) {
            LOG.warn("a run could not be parked and goes on", failed);
        } finally {
            turn.unlock();
        }
    }
}
