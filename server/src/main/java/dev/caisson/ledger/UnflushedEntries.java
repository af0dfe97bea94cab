package dev.caisson.ledger;

import dev.caisson.store.Store;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Entries of processes that ended before they were in the database.
final class UnflushedEntries {
    private static final Logger LOG = LoggerFactory.getLogger(UnflushedEntries.class);

    private final Store store;
    private final Path directory;

    UnflushedEntries(Store store, Path directory) {
        this.store = store;
        this.directory = directory;
    }

    /// Appends them in their order. Each gets in once, also when this process ends on the way.
    void append() {
        EntryRing.left(directory).forEach(this::append);
    }

    private void append(EntryRing left) {
        var count =
                store.write(handle -> {
                    var drafts =
                            left.above(LedgerRows.settled(handle, left.name())).entrySet().stream()
                                    .map(one ->
                                            UnlinkedEntry.of(EntryEncoding.read(one.getValue()))
                                                    .at(
                                                            new UnlinkedEntry.Place(
                                                                    left.name(), one.getKey())))
                                    .toList();
                    return Ledger.link(handle, drafts).size();
                });
        left.remove();
        store.write(handle -> LedgerRows.forget(handle, left.name()));
        if (count > 0) {
            LOG.info("recovered {} ledger entries of a process that ended", count);
        }
    }
}
