package dev.caisson.ledger;

import dev.caisson.store.Journal;
import dev.caisson.store.Store;
import java.nio.file.Path;
import java.util.List;

/// A ledger with a journal of its own.
public record JournaledLedger(Ledger ledger, Journal journal) implements AutoCloseable {
    /// @param directory where the journal is; what processes left there is replayed
    public static JournaledLedger in(Store store, Path directory) {
        Ledger.appendLeft(store, directory);
        var journal = store.journal(directory, List.of(Ledger.journaled()));
        journal.replay();
        return new JournaledLedger(new Ledger(store, journal), journal);
    }

    @Override
    public void close() {
        journal.close();
    }
}
