package dev.caisson.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jdbi.v3.core.Handle;

/// Work that somebody waits for. It is done within a transaction, and its caller is told only when
/// that transaction has ended.
final class Unit<T> {
    private final Work<T> work;
    private final CompletableFuture<T> answer = new CompletableFuture<>();

    Unit(Work<T> work) {
        this.work = work;
    }

    /// Does the work, or takes back whatever part of it was done.
    ///
    /// @return tells the caller how the work went
    Runnable run(Handle handle) {
        handle.savepoint("unit");
        try {
            var value = work.run(handle);
            handle.releaseSavepoint("unit");
            return () -> answer.complete(value);
        } catch (RuntimeException | Error failure) {
            handle.rollbackToSavepoint("unit");
            return () -> answer.completeExceptionally(failure);
        }
    }

    void fail(RuntimeException failure) {
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
