package dev.caisson.identity;

import org.jdbi.v3.core.Handle;

/// Is told what happens to keys, in the transaction in which it happens: what it throws undoes it.
@FunctionalInterface
public interface KeyRecorder {
    /// Keeps no record.
    KeyRecorder NONE = (_, _) -> {};

    /// @param transaction in which the record is written
    void record(Handle transaction, KeyEvent event);

    /// Whether there is a record of this from before, by whom it is of and what was asked for.
    default boolean has(Handle transaction, KeyEvent event) {
        return false;
    }
}
