package dev.caisson.runs;

import dev.caisson.call.Durable;
import dev.caisson.sandbox.Sink;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// An execution under way: when there is more to read of it, when it is over, and how to end it.
/// What it wrote is read where it is kept, so a slow reader costs it nothing.
public final class LiveRun implements AutoCloseable {
    private static final String CANCELLED = "The run was cancelled while it was under way.";

    private final String id;
    private final String owner;
    private final String language;
    private final Optional<String> threadId;
    private final Runnable onClose;
    private Optional<Runnable> stop = Optional.empty();
    private Durable record = Durable.NOW;
    private Optional<String> cancelled = Optional.empty();
    private Runnable whenOver = () -> {};
    private Supplier<List<String>> awaited = List::of;
    private boolean over;
    private long changes;

    LiveRun(String id, String owner, String language, Optional<String> threadId, Runnable onClose) {
        this.id = id;
        this.owner = owner;
        this.language = language;
        this.threadId = threadId;
        this.onClose = onClose;
    }

    public String id() {
        return id;
    }

    /// The id of the caller it belongs to.
    public String owner() {
        return owner;
    }

    public String language() {
        return language;
    }

    public Optional<String> threadId() {
        return threadId;
    }

    /// Ends the program; the execution ends in a moment as cancelled, unless it has just ended by
    /// itself.
    public void cancel() {
        cancel(CANCELLED);
    }

    /// The same for a reason; the first one is told.
    synchronized void cancel(String sentence) {
        cancelled = cancelled.or(() -> Optional.of(sentence));
        stop.ifPresent(Runnable::run);
    }

    /// @param approvals of people that its program waits for, if it waits for nothing else
    synchronized void awaiting(Supplier<List<String>> approvals) {
        awaited = approvals;
    }

    /// The approvals of people that its program waits for, if it waits for nothing else.
    public List<String> awaited() {
        Supplier<List<String>> approvals;
        synchronized (this) {
            approvals = awaited;
        }
        return approvals.get();
    }

    /// Why it was cancelled, as a sentence for the answer; the usual one when it was not from here.
    synchronized String cancelled() {
        return cancelled.orElse(CANCELLED);
    }

    /// @param then is called once, when it is over
    synchronized void onOver(Runnable then) {
        whenOver = then;
    }

    /// Waits until something has happened since, but not for longer than that.
    ///
    /// @param seen what this returned before; 0 at first
    /// @return a number that grows with every change
    public synchronized long awaitChange(long seen, Duration atMost) throws InterruptedException {
        var deadline = System.nanoTime() + atMost.toNanos();
        var left = atMost.toNanos();
        while (changes <= seen && !over && left > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = deadline - System.nanoTime();
        }
        return changes;
    }

    /// Waits until it has ended, but not for longer than that.
    ///
    /// @return whether it has
    public synchronized boolean awaitOver(Duration atMost) throws InterruptedException {
        var deadline = System.nanoTime() + atMost.toNanos();
        var left = atMost.toNanos();
        while (!over && left > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = deadline - System.nanoTime();
        }
        return over;
    }

    /// Whether it has ended and its record says so.
    public synchronized boolean over() {
        return over;
    }

    /// How it can be ended from now on.
    synchronized void stoppedBy(Runnable how) {
        stop = Optional.of(how);
        if (cancelled.isPresent()) {
            how.run();
        }
    }

    /// Passes output on and tells those who wait for it.
    Sink telling(Sink next) {
        return (stream, bytes, offset, length) -> {
            next.write(stream, bytes, offset, length);
            changed();
        };
    }

    private synchronized void changed() {
        changes++;
        notifyAll();
    }

    /// It is not over before its record is.
    synchronized void overWith(Durable end) {
        record = end;
    }

    /// It is over when its record is, which may be a moment later and on the store's thread.
    @Override
    public void close() {
        Durable last;
        synchronized (this) {
            last = record;
        }
        last.then(_ -> end());
    }

    private void end() {
        onClose.run();
        Runnable then;
        synchronized (this) {
            over = true;
            changes++;
            notifyAll();
            then = whenOver;
        }
        then.run();
    }
}
