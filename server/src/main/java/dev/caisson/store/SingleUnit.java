package dev.caisson.store;

import dev.caisson.call.Durable;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;

/// Write unit with the work of one caller.
final class SingleUnit<T> implements WriteUnit {
    private final StoreWork<T> work;
    private final CommitWaiter<T> caller = new CommitWaiter<>();
    private volatile boolean taken;

    SingleUnit(StoreWork<T> work) {
        this.work = work;
    }

    @Override
    public Runnable run(Handle handle) {
        handle.savepoint("unit");
        try {
            var value = work.run(new Transaction(handle));
            handle.releaseSavepoint("unit");
            return () -> caller.tell(value);
        } catch (RuntimeException | Error failure) {
            WriteUnit.takeBack(handle, failure);
            return () -> caller.fail(failure);
        }
    }

    @Override
    public void fail(Supplier<RuntimeException> failure) {
        caller.fail(failure.get());
    }

    T await() {
        return caller.await();
    }

    @Override
    public void taken() {
        taken = true;
    }

    boolean isTaken() {
        return taken;
    }

    boolean hasEnded() {
        return caller.hasEnded();
    }

    void then(Durable.Next next) {
        caller.then(next);
    }
}
