package dev.caisson.ledger;

import dev.caisson.call.Durable;
import dev.caisson.store.JointWriter;
import dev.caisson.store.Journal;
import dev.caisson.store.JournalKind;
import dev.caisson.store.Store;
import dev.caisson.store.Transaction;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Ledger: the append-only, hash-chained record of every call. Entries are only ever added; each
/// carries the hash of the one before, and the last is noted in a second place, so that whatever is
/// changed, removed or moved shows.
///
/// Whoever can write to the database can make the whole ledger anew, head and all. Against that
/// helps a [LedgerHead] noted down elsewhere: [#verify(Optional)] compares.
public final class Ledger {
    /// How many entries a page may have.
    public static final int PAGE_MAX = 1000;

    private final Store store;
    private final JointWriter<UnlinkedEntry, LinkedEntry> writer;
    private final Optional<Journal> journal;

    /// One whose every entry is in the database when its caller goes on.
    public Ledger(Store store) {
        this(store, Optional.empty());
    }

    /// One whose entries are durable before they are in the database.
    ///
    /// @param journal for what is not there yet; it knows [#journaled]
    public Ledger(Store store, Journal journal) {
        this(store, Optional.of(journal));
    }

    private Ledger(Store store, Optional<Journal> journal) {
        this.store = store;
        this.writer = store.joint(Ledger::link);
        this.journal = journal;
    }

    /// Entries as the journal has them.
    public static JournalKind<?> journaled() {
        return JournaledEntries.KIND;
    }

    /// Appends what a process of a former version left in a directory when it ended.
    public static void appendLeft(Store store, Path directory) {
        new UnflushedEntries(store, directory).append();
    }

    /// Returns when the entry is durable.
    public void record(Entry entry) {
        var draft = UnlinkedEntry.of(entry);
        journaled(draft).ifPresentOrElse(Durable::await, () -> writer.write(draft));
    }

    private Optional<Durable> journaled(UnlinkedEntry draft) {
        return journal.flatMap(place -> place.append(JournaledEntries.KIND, draft, () -> {}));
    }

    /// Returns when the entry is in the database, at its place in the chain. The order is that of
    /// the store's one writer.
    public LinkedEntry append(Entry entry) {
        return writer.write(UnlinkedEntry.of(entry));
    }

    /// Adds an entry in a transaction of somebody else's, so that both are done or neither. The
    /// transaction must be one of [Store#write].
    public static void append(Transaction transaction, Entry entry) {
        link(transaction, List.of(UnlinkedEntry.of(entry)));
    }

    /// Whether a caller has an entry of a tool with these arguments.
    public static boolean has(
            Transaction transaction, String caller, String tool, String argumentsHash) {
        return LedgerRows.has(transaction, caller, tool, argumentsHash);
    }

    /// Returns when the entry outlives this process; that it outlives the machine follows in a
    /// moment. Whoever brings more than can be written is held up.
    public void appendLater(Entry entry) {
        var draft = UnlinkedEntry.of(entry);
        if (journaled(draft).isEmpty()) {
            writer.write(draft);
        }
    }

    static List<LinkedEntry> link(Transaction handle, List<UnlinkedEntry> drafts) {
        var head = LedgerRows.head(handle);
        var linked = new ArrayList<LinkedEntry>(drafts.size());
        for (var draft : drafts) {
            var next = LinkedEntry.after(head, draft.entry(), draft.form());
            linked.add(next);
            head = next.head();
        }
        LedgerRows.insert(handle, linked);
        LedgerRows.moveHead(handle, head);
        drafts.stream()
                .flatMap(draft -> draft.place().stream())
                .max(Comparator.comparingLong(UnlinkedEntry.Place::number))
                .ifPresent(place -> LedgerRows.settle(handle, place.file(), place.number()));
        return linked;
    }

    public LedgerHead head() {
        store.settle();
        return store.read(LedgerRows::head);
    }

    /// @param before the `next` of the page before; empty for the newest
    public LedgerScan scan(LedgerFilter filter, OptionalLong before, int size) {
        return scan(filter, before, size, LedgerScan.TIME_MAX);
    }

    LedgerScan scan(LedgerFilter filter, OptionalLong before, int size, Duration timeMax) {
        store.settle();
        return new LedgerScan(store, filter, before, size, timeMax);
    }

    /// The same, with the whole scan done here.
    public LedgerPage page(LedgerFilter filter, OptionalLong before, int size) {
        var scan = scan(filter, before, size);
        while (scan.next()) {
            // Everything is done in there.
        }
        return scan.page();
    }

    /// Walks the whole ledger. The server may go on writing meanwhile.
    ///
    /// @param noted a head that was noted down before
    public Verification verify(Optional<LedgerHead> noted) {
        store.settle();
        return new Verifier(store, noted).verify();
    }

    /// Writes every entry up to now as a line of JSON, from the first to the last.
    ///
    /// @return how many
    public long export(Appendable out) throws IOException {
        var last = head().sequence();
        var count = 0L;
        var sequence = 0L;
        for (var page = after(sequence, last); !page.isEmpty(); page = after(sequence, last)) {
            for (var linked : page) {
                out.append(EntryJson.line(linked)).append('\n');
            }
            count += page.size();
            sequence = page.getLast().sequence();
        }
        return count;
    }

    private List<LinkedEntry> after(long sequence, long last) {
        return store.read(handle -> LedgerRows.after(handle, sequence, last, PAGE_MAX));
    }
}
