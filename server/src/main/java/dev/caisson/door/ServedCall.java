package dev.caisson.door;

import dev.caisson.call.CallNotes;
import dev.caisson.call.Refusal;
import dev.caisson.sandbox.Uninterrupted;
import java.time.Duration;
import java.util.Optional;

/// Call of a program that is under way, on a thread of its own. It can be ended from outside, for
/// one reason, until it is over; what its thread does afterwards is not interrupted.
final class ServedCall {
    /// Why it was ended.
    enum Why {
        /// The program said so, or closed its connection.
        CANCELLED,
        TIMED_OUT,
        /// The run is over.
        RUN_OVER
    }

    /// Work that ends when it is interrupted.
    @FunctionalInterface
    interface Work<T> {
        T run() throws InterruptedException;
    }

    private Optional<Thread> thread = Optional.empty();
    private Optional<Why> why = Optional.empty();
    private boolean counted;
    private boolean over;
    private final DoorRequest request;
    private Optional<Refusal> refusal = Optional.empty();
    private CallDeadlines.Watch deadline = () -> {};
    private CallNotes notes = new CallNotes();

    ServedCall(DoorRequest request) {
        this.request = request;
    }

    DoorRequest request() {
        return request;
    }

    /// By which it is ended.
    synchronized void endedBy(CallDeadlines.Watch watch) {
        deadline = watch;
    }

    synchronized CallDeadlines.Watch deadline() {
        return deadline;
    }

    /// Ends it as refused, unless it is ended already.
    synchronized void refuse(Refusal why) {
        if (refusal.isEmpty() && this.why.isEmpty()) {
            refusal = Optional.of(why);
            end(Why.CANCELLED);
        }
    }

    /// By which it was ended, if it was refused.
    synchronized Optional<Refusal> refusal() {
        return refusal;
    }

    /// @param began with which it is made
    synchronized void notedIn(CallNotes began) {
        notes = began;
    }

    /// What is noted about it.
    synchronized CallNotes notes() {
        return notes.latest();
    }

    /// Whether it was not counted before, and is from now on.
    synchronized boolean counts() {
        boolean first = !counted;
        counted = true;
        return first;
    }

    /// Does the work on this thread.
    ///
    /// @throws InterruptedException when it was ended; [#why()] says by what
    <T> T run(Work<T> work) throws InterruptedException {
        begin();
        try {
            return work.run();
        } finally {
            end();
        }
    }

    private synchronized void begin() throws InterruptedException {
        if (why.isPresent()) {
            throw new InterruptedException("ended before it began");
        }
        thread = Optional.of(Thread.currentThread());
    }

    /// An interrupt that came too late is nobody's.
    private synchronized void end() {
        thread = Optional.empty();
        boolean _ = Thread.interrupted();
    }

    /// Its answer is counted and sent, or given up.
    synchronized void over() {
        over = true;
        notifyAll();
    }

    synchronized void end(Why because) {
        if (why.isEmpty()) {
            why = Optional.of(because);
            thread.ifPresent(Thread::interrupt);
        }
    }

    synchronized Optional<Why> why() {
        return why;
    }

    /// Waits until it is over.
    ///
    /// @return whether it is
    boolean awaitOver(Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        return Uninterrupted.call(() -> awaitOverBy(end));
    }

    private synchronized boolean awaitOverBy(long end) throws InterruptedException {
        while (!over) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }
}
