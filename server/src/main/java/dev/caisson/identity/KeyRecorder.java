package dev.caisson.identity;

import dev.caisson.store.Transaction;

/// Recorder of the events of keys, in the transaction in which they happen: what it throws undoes
/// it.
@FunctionalInterface
public interface KeyRecorder {
    /// Keeps no record.
    KeyRecorder NONE = (_, _) -> {};

    /// @param transaction in which the record is written
    void record(Transaction transaction, KeyEvent event);

    /// Whether there is a record of this from before, by whom it is of and what was asked for.
    default boolean has(Transaction transaction, KeyEvent event) {
        return false;
    }
}
