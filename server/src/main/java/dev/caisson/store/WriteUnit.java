package dev.caisson.store;

import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;

/// Unit of work of the writer, done within a transaction. Whoever waits for it is told only when
/// that transaction has ended.
interface WriteUnit {
    /// The writer has taken it and begins a transaction.
    default void taken() {}

    /// Does the work, or takes back whatever part of it was done.
    ///
    /// @return tells those who wait how the work went
    Runnable run(Handle handle);

    /// Tells those who wait that the transaction failed.
    ///
    /// @param failure makes one for each of them
    void fail(Supplier<RuntimeException> failure);

    /// Takes back what was done since the savepoint `unit`. Where even that fails, the transaction
    /// is lost for everybody in it, and the first failure is the one that says why.
    static void takeBack(Handle handle, Throwable why) {
        try {
            handle.rollbackToSavepoint("unit");
        } catch (RuntimeException lost) {
            var whole = new IllegalStateException("the transaction was lost", why);
            whole.addSuppressed(lost);
            throw whole;
        }
    }
}
