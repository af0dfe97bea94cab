package dev.caisson.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32C;

/// Entries whose calls were answered and that are not in the database yet, in a file that is mapped
/// into memory. What is written there costs no call of the system and outlives this process,
/// however it ends; it does not outlive the machine.
///
/// The file is `<directory>/ledger-<random>.pending`. It has [#SLOTS] slots of [#SLOT_BYTES]; the
/// entry with the number n is in slot n modulo their count:
///
/// ```
/// number   8 bytes    counts from 1; the database knows the last that it has
/// length   4 bytes
/// check    4 bytes    CRC-32C of number, length and form
/// form     length bytes
/// ```
///
/// A process has its file locked as long as it lives. One thread at a time puts, and one settles.
final class Pending implements AutoCloseable {
    /// Enough for what calls bring while the disk takes half a second: whoever finds no slot waits
    /// for the disk.
    static final int SLOTS = 16_384;

    static final int SLOT_BYTES = 512;

    private static final int HEAD_BYTES = 16;
    private static final int CHECK_AT = 12;

    private final Path file;
    private final FileChannel channel;
    private final MappedByteBuffer slots;
    private long last;
    private volatile long settled;

    private Pending(Path file, FileChannel channel) throws IOException {
        this.file = file;
        this.channel = channel;
        this.slots = channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) SLOTS * SLOT_BYTES);
    }

    /// A new file, with room on the disk: one that is full must not show when memory is written.
    static Pending create(Path directory) {
        try {
            while (true) {
                var name = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
                var file = directory.resolve("ledger-" + name + ".pending");
                var channel = PendingFiles.create(file);
                channel.lock();
                // Somebody who cleans up may have taken it for one that was left.
                if (Files.exists(file)) {
                    channel.write(ByteBuffer.allocate(SLOTS * SLOT_BYTES));
                    return new Pending(file, channel);
                }
                channel.close();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot create a file in " + directory, failure);
        }
    }

    /// One that a process left when it ended.
    ///
    /// @return empty when its process is alive, or somebody else takes care of it
    static Optional<Pending> left(Path file) {
        try {
            var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (PendingFiles.locked(channel) && Files.exists(file)) {
                return Optional.of(new Pending(file, channel));
            }
            channel.close();
            return Optional.empty();
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read " + file, failure);
        }
    }

    String name() {
        return String.valueOf(file.getFileName());
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
        for (var at = 0; at < SLOTS * SLOT_BYTES; at += SLOT_BYTES) {
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
        try {
            channel.close();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot close " + file, failure);
        }
    }

    /// For when everything in it is in the database.
    void remove() {
        try {
            Files.delete(file);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot remove " + file, failure);
        }
        close();
    }
}
