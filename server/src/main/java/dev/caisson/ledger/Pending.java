package dev.caisson.ledger;

import dev.caisson.store.MappedFile;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/// Entries whose calls were answered and that are not in the database yet, in a [MappedFile]. It
/// has [#SLOTS] slots of [#SLOT_BYTES]; the entry with the number n is in slot n modulo their
/// count:
///
/// ```
/// number   8 bytes    counts from 1; the database knows the last that it has
/// length   4 bytes
/// check    4 bytes    CRC-32C of number, length and form
/// form     length bytes
/// ```
///
/// One thread at a time puts, and one settles.
final class Pending implements AutoCloseable {
    /// Enough for what calls bring while the disk takes half a second: whoever finds no slot waits
    /// for the disk.
    static final int SLOTS = 16_384;

    static final int SLOT_BYTES = 512;

    private static final String KIND = "ledger";
    private static final int BYTES = SLOTS * SLOT_BYTES;
    private static final int HEAD_BYTES = 16;
    private static final int CHECK_AT = 12;

    private final MappedFile file;
    private final MappedByteBuffer slots;
    private long last;
    private volatile long settled;

    private Pending(MappedFile file) {
        this.file = file;
        this.slots = file.bytes();
    }

    static Pending create(Path directory) {
        return new Pending(MappedFile.create(directory, KIND, BYTES));
    }

    /// Those that processes left when they ended.
    static List<Pending> left(Path directory) {
        return MappedFile.left(directory, KIND, BYTES).stream().map(Pending::new).toList();
    }

    String name() {
        return file.name();
    }

    boolean hasRoomFor(byte[] form) {
        return form.length <= SLOT_BYTES - HEAD_BYTES && last - settled < SLOTS;
    }

    /// @return its number
    long put(byte[] form) {
        last++;
        var at = slot(last);
        slots.putLong(at, last);
        slots.putInt(at + Long.BYTES, form.length);
        slots.put(at + HEAD_BYTES, form);
        slots.putInt(at + CHECK_AT, check(at, form));
        return last;
    }

    private static int slot(long number) {
        return Math.toIntExact(number % SLOTS) * SLOT_BYTES;
    }

    private int check(int at, byte[] form) {
        var check = new CRC32C();
        check.update(slots.slice(at, CHECK_AT));
        check.update(form);
        return (int) check.getValue();
    }

    /// All up to this number are in the database.
    void settle(long number) {
        settled = Math.max(settled, number);
    }

    boolean isSettled(long number) {
        return number >= last;
    }

    /// What was written whole, with numbers above the one given, in their order.
    SortedMap<Long, byte[]> above(long number) {
        var found = new TreeMap<Long, byte[]>();
        for (var at = 0; at < BYTES; at += SLOT_BYTES) {
            var length = slots.getInt(at + Long.BYTES);
            var fits = length > 0 && length <= SLOT_BYTES - HEAD_BYTES;
            if (fits && slots.getLong(at) > number) {
                var form = new byte[length];
                slots.get(at + HEAD_BYTES, form);
                if (slots.getInt(at + CHECK_AT) == check(at, form)) {
                    found.put(slots.getLong(at), form);
                }
            }
        }
        return found;
    }

    /// Leaves the file for whoever comes next.
    @Override
    public void close() {
        file.close();
    }

    /// For when everything in it is in the database.
    void remove() {
        file.remove();
    }
}
