package dev.caisson.executions;

import dev.caisson.call.Durable;

/// An execution whose beginning is being recorded.
public interface Begun {
    /// Returns when the beginning outlives this process, however that ends: then the program may
    /// run. Throws what kept it from being so.
    void awaitNoted();

    /// Returns when it outlives the machine too: then others may be told of the execution. Throws
    /// what kept it from being so.
    void awaitKept();

    /// One for which both are the same.
    static Begun when(Durable kept) {
        return new Begun() {
            @Override
            public void awaitNoted() {
                kept.await();
            }

            @Override
            public void awaitKept() {
                kept.await();
            }
        };
    }
}
