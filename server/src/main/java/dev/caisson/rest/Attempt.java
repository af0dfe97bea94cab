package dev.caisson.rest;

import dev.caisson.call.TraceId;
import dev.caisson.tools.LiveRun;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/// A program that is run on a thread of its own, while whoever asked for it waits, watches or
/// leaves.
final class Attempt {
    /// Does it, and says when it has become an execution.
    interface Work {
        JsonNode result(Attempt attempt) throws InterruptedException;
    }

    private final TraceId trace;
    private final Witness witness;
    private final CompletableFuture<LiveRun> begun = new CompletableFuture<>();
    private final CompletableFuture<JsonNode> result = new CompletableFuture<>();
    private final Thread worker;

    private Attempt(TraceId trace, Witness witness, Work work, Consumer<Attempt> whenOver) {
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

    static Attempt of(TraceId trace, Witness witness, Work work, Consumer<Attempt> whenOver) {
        return new Attempt(trace, witness, work, whenOver);
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
    JsonNode result() throws InterruptedException {
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
