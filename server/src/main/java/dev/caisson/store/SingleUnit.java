package dev.caisson.store;

import dev.caisson.call.Durable;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;

/// The work of one caller.
final class SingleUnit<T> implements Unit {
    private final Work<T> work;
    private final Waiting<T> caller = new Waiting<>();
    private volatile boolean taken;

    SingleUnit(Work<T> work) {
        this.work = work;
    }

    @Override
    public Runnable run(Handle handle) {
        handle.savepoint("unit");
        try {
            var value = work.run(handle);
            handle.releaseSavepoint("unit");
            return () -> caller.tell(value);
        } catch (RuntimeException | Error failure) {
            Unit.takeBack(handle, failure);
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
