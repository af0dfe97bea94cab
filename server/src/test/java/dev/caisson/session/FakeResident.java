package dev.caisson.session;

import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Resident;
import dev.caisson.sandbox.Run;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// Resident that runs nothing: a program whose text is `wait` goes on until it is let go or killed.
final class FakeResident implements Resident {
    static final long MIB = 1 << 20;

    final AtomicBoolean closed = new AtomicBoolean();
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch letGo = new CountDownLatch(1);

    /// What it holds between programs.
    final AtomicLong resting = new AtomicLong(10 * MIB);

    /// Whether idle sessions of its caller stand in its way, as long as they hold this much.
    final AtomicLong shortUntil = new AtomicLong(Long.MAX_VALUE);

    private volatile boolean killed;

    @Override
    public Outcome run(Run run) throws InterruptedException {
        if (closed.get()) {
            throw new IllegalStateException("a session was used that is gone");
        }
        if (run.code().equals("wait")) {
            begun.countDown();
            letGo.await();
        }
        return new Outcome.Exited(0, Outcome.Usage.NONE, Optional.empty());
    }

    @Override
    public long rest() {
        return resting.get();
    }

    @Override
    public boolean isShortByOwn(long idle) {
        return idle >= shortUntil.get();
    }

    @Override
    public OptionalLong memoryBytes() {
        return OptionalLong.of(resting.get());
    }

    @Override
    public Optional<Outcome> ended() {
        return killed
                ? Optional.of(new Outcome.Signalled(9, Outcome.Usage.NONE, Optional.empty()))
                : Optional.empty();
    }

    @Override
    public void kill() {
        killed = true;
        letGo.countDown();
    }

    @Override
    public void close() {
        closed.set(true);
    }
}
