package dev.caisson.executions;

import dev.caisson.call.Durable;

/// Ticket of an execution whose start is being recorded.
public interface StartTicket {
    /// Returns when the beginning outlives this process, however that ends: then the program may
    /// run. Throws what kept it from being so.
    void awaitNoted();

    /// Whether it outlives the machine too, and others may be told of the execution.
    boolean isKept();

    /// One for which both are the same.
    static StartTicket when(Durable kept) {
        return new StartTicket() {
            @Override
            public void awaitNoted() {
                kept.await();
            }

            @Override
            public boolean isKept() {
                // Nobody asks before the program runs.
                return true;
            }
        };
    }
}
