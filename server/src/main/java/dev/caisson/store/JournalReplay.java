package dev.caisson.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/// Replay of a journal that a process left when it ended: writes what the database does not have
/// yet, some records at a time, each once.
///
/// @param kinds by their codes
record JournalReplay(Store store, Map<Byte, JournalKind<?>> kinds) {
    /// How many records one transaction writes, so that others do not wait long.
    static final int AT_ONCE = 200;

    /// @return how many were written
    int replay(String name, SortedMap<Long, JournalFile.Item> items) {
        long settled = store.read(handle -> JournalRows.settled(handle, name));
        var left = new ArrayList<>(items.tailMap(settled + 1).entrySet());
        for (int from = 0; from < left.size(); from += AT_ONCE) {
            var some = left.subList(from, Math.min(left.size(), from + AT_ONCE));
            store.write(handle -> {
                write(handle, name, some);
                return some.size();
            });
        }
        return left.size();
    }

    /// One by one: there are few, and their order is that of their numbers.
    private void write(
            Transaction handle, String name, List<Map.Entry<Long, JournalFile.Item>> items) {
        for (var one : items) {
            var item = one.getValue();
            replay(kind(item.kind()), handle, item.form());
        }
        JournalRows.settle(handle, name, items.getLast().getKey());
    }

    private static <I> void replay(JournalKind<I> kind, Transaction handle, byte[] form) {
        kind.replay(handle, List.of(kind.read(form)));
    }

    private JournalKind<?> kind(byte code) {
        return Optional.<JournalKind<?>>ofNullable(kinds.get(code))
                .orElseThrow(() -> new IllegalStateException("no kind of record " + code));
    }
}
