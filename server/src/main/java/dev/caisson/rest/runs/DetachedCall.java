package dev.caisson.rest.runs;

import dev.caisson.call.TraceId;
import dev.caisson.runs.LiveRun;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// Detached call: a program that runs on a thread of its own, while its caller waits, watches or
/// leaves.
final class DetachedCall {
    /// Does it, and says when it has become an execution.
    interface Work {
        RunResult result(DetachedCall attempt) throws InterruptedException;
    }

    private final TraceId trace;
    private final CallListener witness;
    private final CompletableFuture<LiveRun> begun = new CompletableFuture<>();
    private final CompletableFuture<RunResult> result = new CompletableFuture<>();
    private final Thread worker;

    private DetachedCall(
            TraceId trace, CallListener witness, Work work, Consumer<DetachedCall> whenOver) {
        this.trace = trace;
        this.witness = witness;
        worker =
                Thread.ofVirtual()
                        .name("rest-" + trace)
                        .unstarted(() -> {
                            work(work);
                            whenOver.accept(this);
                        });
    }

    static DetachedCall of(
            TraceId trace, CallListener witness, Work work, Consumer<DetachedCall> whenOver) {
        return new DetachedCall(trace, witness, work, whenOver);
    }

    void start() {
        worker.start();
    }

    /// Whoever waits gets all there is, also what went wrong.
    private void work(Work work) {
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
        try {
            result.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException _) {
            return false;
        } catch (ExecutionException _) {
            return true;
        }
    }

    /// Ends it, wherever it is.
    void cancel() {
        worker.interrupt();
    }

    void join(Duration atMost) throws InterruptedException {
        worker.join(atMost);
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
