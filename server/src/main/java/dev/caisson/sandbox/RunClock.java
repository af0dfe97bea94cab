package dev.caisson.sandbox;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/// Clock of one run, which measures its time limit and can stand still.
public final class RunClock {
    /// How often one that stands still is looked at: its program may be killed meanwhile.
    private static final Duration LOOK = Duration.ofMillis(500);

    private static final Duration NOW = Duration.ofNanos(1);

    private final long limit;
    private final long began = System.nanoTime();
    private long stood;
    private OptionalLong standsSince = OptionalLong.empty();

    /// Waits for the end of a program.
    @FunctionalInterface
    public interface End {
        /// @return false when the time was over first
        boolean await(Duration atMost) throws InterruptedException;
    }

    /// Begins now.
    public RunClock(Duration limit) {
        this.limit = limit.toNanos();
    }

    synchronized void stop() {
        if (standsSince.isEmpty()) {
            standsSince = OptionalLong.of(System.nanoTime());
        }
    }

    synchronized void goOn() {
        if (standsSince.isPresent()) {
            stood += System.nanoTime() - standsSince.getAsLong();
            standsSince = OptionalLong.empty();
            notifyAll();
        }
    }

    /// For how long it stood still until now.
    public synchronized Duration stood() {
        return Duration.ofNanos(stood + standsSince.stream().map(this::since).sum());
    }

    private long since(long moment) {
        return System.nanoTime() - moment;
    }

    /// What is left of the limit; empty while it stands still.
    private synchronized OptionalLong left() {
        return standsSince.isPresent()
                ? OptionalLong.empty()
                : OptionalLong.of(limit - (System.nanoTime() - began - stood));
    }

    /// Waits until a program has ended, or its time is over.
    ///
    /// @return whether it has ended
    public boolean await(End end) throws InterruptedException {
        var left = OptionalLong.of(limit);
        while (left.isEmpty() || left.getAsLong() > 0) {
            if (left.isPresent() && end.await(Duration.ofNanos(left.getAsLong()))) {
                return true;
            }
            if (left.isEmpty() && (end.await(NOW) || awaitGoingOn(end))) {
                return true;
            }
            left = left();
        }
        return false;
    }

    /// @return whether the program has ended instead
    private boolean awaitGoingOn(End end) throws InterruptedException {
        synchronized (this) {
            if (standsSince.isPresent()) {
                TimeUnit.NANOSECONDS.timedWait(this, LOOK.toNanos());
            }
        }
        return end.await(NOW);
    }
}
