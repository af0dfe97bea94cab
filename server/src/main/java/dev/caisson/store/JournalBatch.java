package dev.caisson.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;

/// Write unit of the [Journal]: writes what waits there to the database, all of it or nothing.
final class JournalBatch implements WriteUnit {
    private final Source source;
    private boolean taken;

    /// Where it takes its records, and whom it tells.
    interface Source {
        /// The journal they are in.
        String name();

        /// All that wait, in their order.
        List<Journal.Pending<?>> take();

        void settled();

        void failed(Throwable why);
    }

    JournalBatch(Source source) {
        this.source = source;
    }

    @Override
    public Runnable run(Handle handle) {
        var items = source.take();
        if (items.isEmpty()) {
            return () -> {};
        }
        taken = true;
        handle.savepoint("unit");
        try {
            write(new Transaction(handle), items);
            handle.releaseSavepoint("unit");
            return source::settled;
        } catch (RuntimeException | Error failure) {
            WriteUnit.takeBack(handle, failure);
            return () -> source.failed(failure);
        }
    }

    @Override
    public void fail(Supplier<RuntimeException> failure) {
        if (taken) {
            source.failed(failure.get());
        }
    }

    private void write(Transaction transaction, List<Journal.Pending<?>> items) {
        var kinds = new LinkedHashMap<Byte, List<Journal.Pending<?>>>();
        for (var one : items) {
            kinds.computeIfAbsent(one.kind().code(), _ -> new ArrayList<>()).add(one);
        }
        kinds.values().forEach(of -> write(transaction, of.getFirst().kind(), of));
        JournalRows.settle(transaction, source.name(), items.getLast().number());
    }

    /// The items are of the kind.
    @SuppressWarnings("unchecked")
    private static <I> void write(
            Transaction transaction, JournalKind<I> kind, List<Journal.Pending<?>> items) {
        var all = new ArrayList<I>(items.size());
        items.forEach(one -> all.add((I) one.item()));
        kind.write(transaction, all);
    }
}
