package dev.caisson.sandbox;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.share.HeldShare;
import dev.caisson.share.Share;
import dev.caisson.share.ShareLimit;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// Room for runs that stand still while a person is waited for: so many, and so much memory. Nobody
/// waits for it: who comes when it is full is refused.
public final class Parking {
    private final Share runs;
    private final Share bytes;
    private final Set<Box> boxes = new HashSet<>();
    private boolean closed;

    public Parking(ParkingSettings settings, ShareLimit part) {
        runs =
                new Share(
                        "parked_runs",
                        "runs that stand still (approvals.parked_max)",
                        settings.max(),
                        part);
        bytes =
                new Share(
                        "parked_bytes",
                        "bytes of memory of runs that stand still (approvals.parked_bytes)",
                        settings.bytesMax(),
                        part);
    }

    /// Room for one run.
    ///
    /// @param box in which its program is
    /// @throws Refusal NO_CAPACITY when there is none
    HeldShare enter(String caller, Box box) {
        var held = runs.take(caller, 1);
        add(box, held);
        return () -> {
            held.close();
            remove(box);
        };
    }

    private synchronized void add(Box box, HeldShare held) {
        if (closed) {
            held.close();
            throw new Refusal(Reason.NO_CAPACITY, "The server is stopping. Try again later.");
        }
        boxes.add(box);
    }

    private synchronized void remove(Box box) {
        boxes.remove(box);
        notifyAll();
    }

    /// Kills what stands still, which does not die by itself when its server ends. Nothing comes to
    /// stand still afterwards.
    void killAll() {
        Set<Box> all;
        synchronized (this) {
            closed = true;
            all = Set.copyOf(boxes);
        }
        all.forEach(Box::killWithoutWaiting);
    }

    /// Room for the memory that one has.
    ///
    /// @throws Refusal NO_CAPACITY when there is not that much
    HeldShare charge(String caller, long amount) {
        return bytes.take(caller, amount);
    }

    public int count() {
        return Math.toIntExact(runs.total() - runs.free());
    }

    /// Waits until nothing stands still any more.
    synchronized boolean awaitIdle(Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (count() > 0) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }
}
