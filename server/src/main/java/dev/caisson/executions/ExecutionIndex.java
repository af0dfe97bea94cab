package dev.caisson.executions;

import java.util.Optional;

/// Index of executions: the part of [ExecutionRecords] that finds them.
public interface ExecutionIndex {
    /// With its code, if that is kept.
    ///
    /// @param owner whose it must be; empty means anybody's, for those who may see all
    /// @param id its own, or that of its trace; then the newest of that trace is found
    Optional<ExecutionRecord> find(Optional<String> owner, String id);

    /// Whether one that seems to run has another server, which alone can end it.
    boolean isElsewhere(String id);

    /// A page of executions, the newest first.
    ///
    /// @param owner whose; empty means everybody's, for those who may see all
    /// @param cursor the `next` of the page before; empty for the newest
    /// @throws dev.caisson.call.Refusal INVALID_ARGUMENT for a cursor that is not ours
    ExecutionPage list(
            Optional<String> owner, ExecutionFilter filter, Optional<String> cursor, int size);
}
