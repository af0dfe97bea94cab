package dev.caisson.rest.runs;

import dev.caisson.call.TraceId;
import dev.caisson.runs.LiveRun;
import dev.caisson.share.PatientWait;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/// Call of a program, whose caller waits, watches or leaves: on a thread of its own, or on that of
/// a caller who does nothing but wait.
final class DetachedCall {
    /// Does it, and says when it has become an execution.
    interface Work {
        RunResult result(DetachedCall attempt) throws InterruptedException;
    }

    private final TraceId trace;
    private final CallListener witness;
    private final CompletableFuture<LiveRun> begun = new CompletableFuture<>();
    private final CompletableFuture<RunResult> result = new CompletableFuture<>();
    private final Work work;
    private final Consumer<DetachedCall> whenOver;
    private Optional<Thread> worker = Optional.empty();
    private boolean over;

    private DetachedCall(
            TraceId trace, CallListener witness, Work work, Consumer<DetachedCall> whenOver) {
        this.trace = trace;
        this.witness = witness;
        this.work = work;
        this.whenOver = whenOver;
    }

    static DetachedCall of(
            TraceId trace, CallListener witness, Work work, Consumer<DetachedCall> whenOver) {
        return new DetachedCall(trace, witness, work, whenOver);
    }

    void start() {
        var thread = Thread.ofVirtual().name("rest-" + trace).unstarted(this::work);
        worksOn(thread);
        thread.start();
    }

    /// On the current thread; returns when it is over.
    void runHere() {
        worksOn(Thread.currentThread());
        work();
    }

    private synchronized void worksOn(Thread thread) {
        worker = Optional.of(thread);
    }

    /// Whoever waits gets all there is, also what went wrong.
    private void work() {
        tell();
        over();
        whenOver.accept(this);
    }

    private synchronized void over() {
        over = true;
    }

    private void tell() {
        try {
            var value = work.result(this);
            witness.ended(value);
            result.complete(value);
        } catch (Throwable failure) {
            fail(failure);
        }
    }

    private void fail(Throwable failure) {
        try {
            witness.failed(failure);
        } catch (RuntimeException another) {
            failure.addSuppressed(another);
        }
        begun.completeExceptionally(failure);
        result.completeExceptionally(failure);
    }

    void began(LiveRun run) {
        witness.began(run);
        begun.complete(run);
    }

    TraceId trace() {
        return trace;
    }

    /// Waits until it is an execution.
    ///
    /// @throws dev.caisson.call.Refusal when it was refused before
    LiveRun run() throws InterruptedException {
        return wait(begun);
    }

    /// Waits until it is over.
    ///
    /// @throws dev.caisson.call.Refusal when it was refused
    RunResult result() throws InterruptedException {
        return wait(result);
    }

    /// @return whether it is over, however it ended
    boolean awaitOver(Duration atMost) throws InterruptedException {
        return new PatientWait(result).await(atMost);
    }

    /// Ends it, wherever it is.
    synchronized void cancel() {
        if (!over) {
            worker.ifPresent(Thread::interrupt);
        }
    }

    private static <T> T wait(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException failure) {
            switch (failure.getCause()) {
                case InterruptedException cancelled -> throw cancelled;
                case RuntimeException ours -> throw ours;
                case null, default -> throw new IllegalStateException(failure.getCause());
            }
        }
    }
}
