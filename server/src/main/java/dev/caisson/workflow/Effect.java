package dev.caisson.workflow;

import dev.caisson.store.Transaction;

/// Side effect of a start or a move of a process on the record it stands for, in the same
/// transaction.
@FunctionalInterface
public interface Effect {
    Effect NONE = (_, _) -> {};

    void on(Transaction handle, WorkflowProcess process);
}
