package dev.caisson.workflow;

import org.jdbi.v3.core.Handle;

/// What a start or a move of a process does to the record it stands for, in the same transaction.
@FunctionalInterface
public interface Effect {
    Effect NONE = (_, _) -> {};

    void on(Handle handle, WorkflowProcess process);
}
