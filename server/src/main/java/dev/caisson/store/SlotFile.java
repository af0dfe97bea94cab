package dev.caisson.store;

import java.lang.invoke.VarHandle;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/// Mapped file of slots, each with one record that is on its way to the database:
///
/// ```
/// number   8 bytes    the writer's own
/// length   4 bytes    0 for a slot that is free
/// check    4 bytes    CRC-32C of number, length and form
/// form     length bytes
/// ```
///
/// After the slots stands a byte for each of them: 1 once its record is marked. A record that was
/// not written whole is not there. A slot has one writer at a time; its mark is set by any thread.
public final class SlotFile implements AutoCloseable {
    /// What a slot takes beside the form of its record.
    public static final int HEAD_BYTES = 16;

    private static final int LENGTH_AT = Long.BYTES;
    private static final int CHECK_AT = LENGTH_AT + Integer.BYTES;

    private final MappedFile file;
    private final MappedByteBuffer bytes;
    private final Size size;

    /// @param bytes of one slot, with its head
    public record Size(int slots, int bytes) {
        int whole() {
            return Math.multiplyExact(slots, bytes + 1);
        }
    }

    /// A record that was written whole.
    @SuppressWarnings("ArrayRecordComponent") // Read once by whoever asked, and never compared.
    public record Slot(int index, long number, byte[] form, boolean marked) {}

    private SlotFile(MappedFile file, Size size) {
        this.file = file;
        this.bytes = file.bytes();
        this.size = size;
    }

    public static SlotFile create(Path directory, String kind, Size size) {
        return new SlotFile(MappedFile.create(directory, kind, size.whole()), size);
    }

    /// Those that processes left when they ended.
    public static List<SlotFile> left(Path directory, String kind, Size size) {
        return MappedFile.left(directory, kind, size.whole()).stream()
                .map(file -> new SlotFile(file, size))
                .toList();
    }

    public String name() {
        return file.name();
    }

    public boolean fits(byte[] form) {
        return form.length <= size.bytes() - HEAD_BYTES;
    }

    public void put(int slot, long number, byte[] form) {
        int at = slot * size.bytes();
        bytes.put(markAt(slot), (byte) 0);
        bytes.putLong(at, number);
        bytes.putInt(at + LENGTH_AT, form.length);
        bytes.put(at + HEAD_BYTES, form);
        bytes.putInt(at + CHECK_AT, check(at, form));
    }

    /// Marks the record of a slot. What this thread does afterwards, happens afterwards.
    public void mark(int slot) {
        bytes.put(markAt(slot), (byte) 1);
        VarHandle.fullFence();
    }

    private int markAt(int slot) {
        return size.slots() * size.bytes() + slot;
    }

    /// Nothing of a record stays.
    public void clear(int slot) {
        int at = slot * size.bytes();
        int length = bytes.getInt(at + LENGTH_AT);
        bytes.putInt(at + LENGTH_AT, 0);
        bytes.put(at + HEAD_BYTES, new byte[length]);
    }

    private int check(int at, byte[] form) {
        var check = new CRC32C();
        check.update(bytes.slice(at, CHECK_AT));
        check.update(form);
        return (int) check.getValue();
    }

    /// All records, in the order of their slots.
    public List<Slot> all() {
        var found = new ArrayList<Slot>();
        for (int slot = 0; slot < size.slots(); slot++) {
            int at = slot * size.bytes();
            int length = bytes.getInt(at + LENGTH_AT);
            if (length > 0 && length <= size.bytes() - HEAD_BYTES) {
                var form = new byte[length];
                bytes.get(at + HEAD_BYTES, form);
                if (bytes.getInt(at + CHECK_AT) == check(at, form)) {
                    found.add(
                            new Slot(slot, bytes.getLong(at), form, bytes.get(markAt(slot)) != 0));
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
    public void remove() {
        file.remove();
    }
}
