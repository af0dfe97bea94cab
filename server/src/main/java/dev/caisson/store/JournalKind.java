package dev.caisson.store;

import java.util.List;

/// Kind of record of the [Journal]: its form there, and what becomes of it in the database.
///
/// @param <I> what one record says
public interface JournalKind<I> {
    /// Names the kind in the journal, for ever.
    byte code();

    byte[] form(I item);

    /// @param form one of ours
    I read(byte[] form);

    /// Writes records to the database, in their order. Each comes once.
    void write(Transaction transaction, List<I> items);

    /// The same for records that a process left when it ended. Others may have taken what it had
    /// under way for lost meanwhile.
    default void replay(Transaction transaction, List<I> items) {
        write(transaction, items);
    }
}
