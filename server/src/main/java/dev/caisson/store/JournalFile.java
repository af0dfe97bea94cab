package dev.caisson.store;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// File of the [Journal]: two halves of records, one behind the other, with their room on the disk
/// taken beforehand. While the records of one half go to the database, new ones are put into the
/// other; a half whose records are all there is cleared and used again.
///
/// ```
/// number   8 bytes    one more than that of the record before
/// length   4 bytes    of what follows the check
/// check    4 bytes    CRC-32C of number, length and what follows
/// kind     1 byte
/// form     length - 1 bytes
/// ```
///
/// A half ends where a record is not whole or does not follow the one before. One thread at a time
/// uses it, but for [#force].
///
/// It is written with calls of the system, which report what goes wrong, and not with a channel,
/// which dies when the thread that uses it is interrupted; the thread that waits for the disk is
/// ours.
final class JournalFile implements AutoCloseable {
    static final int HALF_BYTES = 4 << 20;

    /// What a record takes beside its form.
    static final int HEAD_BYTES = 17;

    private static final Logger LOG = LoggerFactory.getLogger(JournalFile.class);
    private static final String KIND = "journal";
    private static final int LENGTH_AT = Long.BYTES;
    private static final int CHECK_AT = LENGTH_AT + Integer.BYTES;
    private static final int BODY_AT = CHECK_AT + Integer.BYTES;

    private final MappedFile file;
    private final ByteBuffer bytes;
    private final RandomAccessFile written;
    private final FileChannel forced;
    private final List<Half> halves = List.of(new Half(0), new Half(HALF_BYTES));
    private Half open = halves.getFirst();
    private long last;

    /// A record that was written whole.
    @SuppressWarnings("ArrayRecordComponent") // Read once by whoever asked, and never compared.
    record Item(byte kind, byte[] form) {}

    /// One of the two.
    private static final class Half {
        private final int start;
        private int used;
        private long last;

        Half(int start) {
            this.start = start;
        }
    }

    private JournalFile(MappedFile file, Path path) {
        this.file = file;
        this.bytes = file.bytes();
        try {
            this.written = new RandomAccessFile(path.toFile(), "rw");
            this.forced = FileChannel.open(path, StandardOpenOption.WRITE);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot open " + path, failure);
        }
    }

    static JournalFile create(Path directory) {
        return of(MappedFile.create(directory, KIND, 2 * HALF_BYTES), directory);
    }

    /// Those that processes left when they ended.
    static List<JournalFile> left(Path directory) {
        return MappedFile.left(directory, KIND, 2 * HALF_BYTES).stream()
                .map(file -> of(file, directory))
                .toList();
    }

    private static JournalFile of(MappedFile file, Path directory) {
        return new JournalFile(file, directory.resolve(file.name()));
    }

    String name() {
        return file.name();
    }

    /// @return its number; empty when there is no room
    /// @throws IOException when it cannot be written; then it is not there
    OptionalLong put(byte kind, byte[] form) throws IOException {
        int size = HEAD_BYTES + form.length;
        if (open.used + size > HALF_BYTES) {
            alternate();
        }
        if (open.used + size > HALF_BYTES) {
            return OptionalLong.empty();
        }
        write(open.start + open.used, record(last + 1, kind, form));
        last++;
        open.used += size;
        open.last = last;
        return OptionalLong.of(last);
    }

    private static byte[] record(long number, byte kind, byte[] form) {
        var record =
                ByteBuffer.allocate(HEAD_BYTES + form.length)
                        .putLong(number)
                        .putInt(form.length + 1)
                        .putInt(0)
                        .put(kind)
                        .put(form);
        return record.putInt(CHECK_AT, check(record, 0, form.length + 1)).array();
    }

    private static int check(ByteBuffer bytes, int at, int length) {
        var check = new CRC32C();
        check.update(bytes.slice(at, CHECK_AT));
        check.update(bytes.slice(at + BODY_AT, length));
        return (int) check.getValue();
    }

    private void write(int at, byte[] some) throws IOException {
        written.seek(at);
        written.write(some);
    }

    /// What comes next is put into the other half, if that is free.
    void alternate() {
        var other = halves.get(open == halves.getFirst() ? 1 : 0);
        if (other.used == 0) {
            open = other;
        }
    }

    /// All up to this number are in the database: nothing of them stays here.
    void settle(long number) {
        for (var half : halves) {
            if (half.used > 0 && half.last <= number) {
                clear(half);
            }
        }
    }

    /// What could not be cleared is overwritten later, and never replayed.
    private void clear(Half half) {
        try {
            write(half.start, new byte[half.used]);
        } catch (IOException failure) {
            LOG.warn("a half of the journal could not be cleared", failure);
        }
        half.used = 0;
    }

    /// Returns when the disk has what was put before.
    ///
    /// @throws UncheckedIOException when it does not take it
    void force() {
        try {
            forced.force(false);
        } catch (IOException failure) {
            throw new UncheckedIOException("the disk does not take the journal", failure);
        }
    }

    /// Every record that is here whole, by its number.
    SortedMap<Long, Item> all() {
        var found = new TreeMap<Long, Item>();
        halves.forEach(half -> read(half, found));
        return found;
    }

    private void read(Half half, SortedMap<Long, Item> found) {
        long before = 0;
        for (int at = half.start; at + HEAD_BYTES <= half.start + HALF_BYTES; ) {
            long number = bytes.getLong(at);
            int length = bytes.getInt(at + LENGTH_AT);
            if (length < 1
                    || length > half.start + HALF_BYTES - at - BODY_AT
                    || (before > 0 && number != before + 1)
                    || bytes.getInt(at + CHECK_AT) != check(bytes, at, length)) {
                return;
            }
            var form = new byte[length - 1];
            bytes.get(at + HEAD_BYTES, form);
            found.put(number, new Item(bytes.get(at + BODY_AT), form));
            before = number;
            at += BODY_AT + length;
        }
    }

    /// Leaves the file for whoever comes next.
    @Override
    public void close() {
        closeFiles();
        file.close();
    }

    private void closeFiles() {
        try {
            written.close();
            forced.close();
        } catch (IOException failure) {
            throw new UncheckedIOException("the journal cannot be closed", failure);
        }
    }

    /// For when everything in it is in the database.
    void remove() {
        file.remove();
        closeFiles();
    }
}
