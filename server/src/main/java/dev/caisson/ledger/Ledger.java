package dev.caisson.ledger;

import dev.caisson.store.JointWriter;
import dev.caisson.store.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jdbi.v3.core.Handle;

/// The record of every call. Entries are only ever added; each carries the hash of the one before,
/// and the last is noted in a second place, so that whatever is changed, removed or moved shows.
///
/// Whoever can write to the database can make the whole ledger anew, head and all. Against that
/// helps a [Head] noted down elsewhere: [#verify(Optional)] compares.
public final class Ledger implements AutoCloseable {
    /// How many entries a page may have.
    public static final int PAGE_MAX = 1000;

    private final Store store;
    private final JointWriter<Draft, LinkedEntry> writer;
    private final Optional<Foreland> foreland;

    /// One whose every entry is durable when its caller goes on.
    public Ledger(Store store) {
        this.store = store;
        this.writer = store.joint(Ledger::link);
        this.foreland = Optional.empty();
    }

    /// One that also takes entries nobody waits for.
    ///
    /// @param directory for what is not in the database yet; what an earlier process left there is
    ///   appended now
    public Ledger(Store store, Path directory) {
        this.store = store;
        this.writer = store.joint(Ledger::link);
        new Leftovers(store, directory).append();
        this.foreland = Optional.of(new Foreland(store, writer, Pending.create(directory)));
    }

    /// Returns when the entry is durable. The order is that of the store's one writer.
    public LinkedEntry append(Entry entry) {
        return writer.write(Draft.of(entry));
    }

    /// Adds an entry in a transaction of somebody else's, so that both are done or neither. The
    /// transaction must be one of [Store#write].
    public static void append(Handle transaction, Entry entry) {
        link(transaction, List.of(Draft.of(entry)));
    }

    /// Whether a caller has an entry of a tool with these arguments.
    public static boolean has(
            Handle transaction, String caller, String tool, String argumentsHash) {
        return LedgerRows.has(transaction, caller, tool, argumentsHash);
    }

    /// Returns when the entry outlives this process; that it outlives the machine follows in a
    /// moment. Whoever brings more than can be written is held up.
    public void appendLater(Entry entry) {
        var draft = Draft.of(entry);
        if (!foreland.map(place -> place.take(draft)).orElse(false)) {
            writer.write(draft);
        }
    }

    static List<LinkedEntry> link(Handle handle, List<Draft> drafts) {
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
                .max(Comparator.comparingLong(Draft.Place::number))
                .ifPresent(place -> LedgerRows.settle(handle, place.file(), place.number()));
        return linked;
    }

    /// To be called before the store is closed.
    @Override
    public void close() {
        foreland.ifPresent(Foreland::close);
    }

    public Head head() {
        return store.read(LedgerRows::head);
    }

    /// @param before the `next` of the page before; empty for the newest
    public LedgerScan scan(LedgerFilter filter, OptionalLong before, int size) {
        return scan(filter, before, size, LedgerScan.TIME_MAX);
    }

    LedgerScan scan(LedgerFilter filter, OptionalLong before, int size, Duration timeMax) {
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
    public Verification verify(Optional<Head> noted) {
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
