package dev.caisson.store;

import dev.caisson.call.Durable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// Future of a commit: somebody who waits for the end of a transaction.
final class CommitWaiter<T> {
    private final CompletableFuture<T> answer = new CompletableFuture<>();

    /// For whoever does not wait.
    void onEnd(JointWriter.Told told) {
        var _ =
                answer.whenComplete((_, failure) -> {
                    if (failure == null) {
                        told.durable();
                    } else {
                        told.failed(failure);
                    }
                });
    }

    void then(Durable.Next next) {
        var _ = answer.whenComplete((_, failure) -> next.after(failure == null));
    }

    boolean hasEnded() {
        return answer.isDone();
    }

    void tell(T value) {
        answer.complete(value);
    }

    void fail(Throwable failure) {
        answer.completeExceptionally(failure);
    }

    /// Waits for the end. An interrupt does not end the waiting, for the caller must know whether
    /// its work is durable; it is still there afterwards.
    T await() {
        try {
            return answer.join();
        } catch (CompletionException failure) {
            switch (failure.getCause()) {
                case RuntimeException ours -> throw ours;
                case Error ours -> throw ours;
                case null, default -> throw failure;
            }
        }
    }
}
