package dev.caisson.executions;

import dev.caisson.store.MappedFile;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/// Beginnings that are not in the database yet, in a [MappedFile] of [#SLOTS] slots:
///
/// ```
/// length   4 bytes    0 for a slot that is free
/// check    4 bytes    CRC-32C of the form
/// form     length bytes
/// ```
final class Notes implements AutoCloseable {
    /// Enough for the executions that begin while the database takes a moment; others wait for the
    /// database.
    static final int SLOTS = 256;

    /// Most programs are shorter; an execution with a longer one waits for the database.
    static final int SLOT_BYTES = 16 << 10;

    static final int HEAD_BYTES = 8;

    private static final String KIND = "executions";
    private static final int BYTES = SLOTS * SLOT_BYTES;

    private final MappedFile file;
    private final MappedByteBuffer slots;
    private final BitSet taken = new BitSet(SLOTS);

    private Notes(MappedFile file) {
        this.file = file;
        this.slots = file.bytes();
    }

    static Notes create(Path directory) {
        return new Notes(MappedFile.create(directory, KIND, BYTES));
    }

    /// Those that processes left when they ended.
    static List<Notes> left(Path directory) {
        return MappedFile.left(directory, KIND, BYTES).stream().map(Notes::filled).toList();
    }

    private static Notes filled(MappedFile file) {
        var notes = new Notes(file);
        notes.all().keySet().forEach(notes.taken::set);
        return notes;
    }

    /// @return its slot; empty when there is no room for it
    synchronized OptionalInt put(byte[] form) {
        int slot = taken.nextClearBit(0);
        if (slot >= SLOTS || form.length > SLOT_BYTES - HEAD_BYTES) {
            return OptionalInt.empty();
        }
        taken.set(slot);
        int at = slot * SLOT_BYTES;
        slots.put(at + HEAD_BYTES, form);
        slots.putInt(at + Integer.BYTES, check(form));
        slots.putInt(at, form.length);
        return OptionalInt.of(slot);
    }

    /// Nothing of it stays: it is a caller's program.
    synchronized void clear(int slot) {
        int at = slot * SLOT_BYTES;
        int length = slots.getInt(at);
        slots.putInt(at, 0);
        slots.put(at + HEAD_BYTES, new byte[length]);
        taken.clear(slot);
    }

    private static int check(byte[] form) {
        var check = new CRC32C();
        check.update(form);
        return (int) check.getValue();
    }

    /// What was written whole, by slot.
    synchronized SortedMap<Integer, byte[]> all() {
        var found = new TreeMap<Integer, byte[]>();
        for (int slot = 0; slot < SLOTS; slot++) {
            int at = slot * SLOT_BYTES;
            int length = slots.getInt(at);
            if (length > 0 && length <= SLOT_BYTES - HEAD_BYTES) {
                var form = new byte[length];
                slots.get(at + HEAD_BYTES, form);
                if (slots.getInt(at + Integer.BYTES) == check(form)) {
                    found.put(slot, form);
                }
            }
        }
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
