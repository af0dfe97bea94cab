package dev.caisson.model;

import dev.caisson.store.Transaction;

/// Numbers of spaces, classes, slots, transactions and entities: one sequence for all of them, so
/// that none is ever used twice. What the product defines itself has the numbers below [#RESERVED].
final class ModelNumbers {
    static final long RESERVED = 1000;

    private ModelNumbers() {}

    /// Only a transaction that writes may take some.
    ///
    /// @return the first of so many
    static long take(Transaction handle, int count) {
        handle.execute("UPDATE model_number SET next = next + ?", count);
        return handle.query("SELECT next FROM model_number").mapTo(Long.class).one() - count;
    }
}
