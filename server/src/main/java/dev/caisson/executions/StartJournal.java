package dev.caisson.executions;

import dev.caisson.store.SlotFile;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/// Journal of started runs that are not in the database yet, in a [SlotFile] whose slots are
/// cleared one by one. Their numbers mean nothing.
final class StartJournal implements AutoCloseable {
    /// Enough for the executions that begin while the database takes a moment; others wait for the
    /// database.
    static final int SLOTS = 256;

    /// Most programs are shorter; an execution with a longer one waits for the database.
    static final int SLOT_BYTES = 16 << 10;

    private static final String KIND = "executions";
    private static final SlotFile.Size SIZE = new SlotFile.Size(SLOTS, SLOT_BYTES);

    private final SlotFile file;
    private final BitSet taken = new BitSet(SLOTS);

    private StartJournal(SlotFile file) {
        this.file = file;
        file.all().forEach(slot -> taken.set(slot.index()));
    }

    static StartJournal create(Path directory) {
        return new StartJournal(SlotFile.create(directory, KIND, SIZE));
    }

    /// Those that processes left when they ended.
    static List<StartJournal> left(Path directory) {
        return SlotFile.left(directory, KIND, SIZE).stream().map(StartJournal::new).toList();
    }

    /// @return its slot; empty when there is no room for it
    synchronized OptionalInt put(byte[] form) {
        int slot = taken.nextClearBit(0);
        if (slot >= SLOTS || !file.fits(form)) {
            return OptionalInt.empty();
        }
        taken.set(slot);
        file.put(slot, slot, form);
        return OptionalInt.of(slot);
    }

    /// Nothing of it stays: it is a caller's program.
    synchronized void clear(int slot) {
        file.clear(slot);
        taken.clear(slot);
    }

    /// What was written whole, by slot.
    synchronized SortedMap<Integer, byte[]> all() {
        var found = new TreeMap<Integer, byte[]>();
        file.all().forEach(slot -> found.put(slot.index(), slot.form()));
        return found;
    }

    /// Leaves what is in it for whoever comes next.
    @Override
    public synchronized void close() {
        if (taken.isEmpty()) {
            file.remove();
        } else {
            file.close();
        }
    }
}
