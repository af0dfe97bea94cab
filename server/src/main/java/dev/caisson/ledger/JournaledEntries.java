package dev.caisson.ledger;

import dev.caisson.store.JournalKind;
import dev.caisson.store.Transaction;
import java.util.List;

/// Entries of the ledger as a kind of record of the journal. They get their places in the chain
/// when they are written to the database.
enum JournaledEntries implements JournalKind<UnlinkedEntry> {
    KIND;

    private static final byte CODE = 2;

    @Override
    public byte code() {
        return CODE;
    }

    @Override
    public byte[] form(UnlinkedEntry item) {
        return item.form();
    }

    @Override
    public UnlinkedEntry read(byte[] form) {
        return UnlinkedEntry.of(EntryEncoding.read(form));
    }

    @Override
    public void write(Transaction transaction, List<UnlinkedEntry> items) {
        Ledger.link(transaction, items);
    }
}
