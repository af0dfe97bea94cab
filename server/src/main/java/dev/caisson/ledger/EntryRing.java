package dev.caisson.ledger;

import dev.caisson.store.SlotFile;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Ring of ledger entries in a [SlotFile], which former versions had in place of a journal. Entries
/// are numbered from 1, and the database knows the last that it has; the entry with the number n is
/// in slot n modulo [#SLOTS].
final class EntryRing {
    static final int SLOTS = 16_384;

    static final int SLOT_BYTES = 512;

    static final String KIND = "ledger";
    static final SlotFile.Size SIZE = new SlotFile.Size(SLOTS, SLOT_BYTES);

    private final SlotFile file;

    private EntryRing(SlotFile file) {
        this.file = file;
    }

    /// Those that processes left when they ended.
    static List<EntryRing> left(Path directory) {
        return SlotFile.left(directory, KIND, SIZE).stream().map(EntryRing::new).toList();
    }

    String name() {
        return file.name();
    }

    /// What was written whole, with numbers above the one given, in their order.
    SortedMap<Long, byte[]> above(long number) {
        var found = new TreeMap<Long, byte[]>();
        for (var slot : file.all()) {
            if (slot.number() > number) {
                found.put(slot.number(), slot.form());
            }
        }
        return found;
    }

    /// For when everything in it is in the database.
    void remove() {
        file.remove();
    }
}
