package dev.caisson.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/// A file that is mapped into memory, for what is not in the database yet. What is written there
/// costs no call of the system and outlives this process, however it ends; it does not outlive the
/// machine.
///
/// The file is `<directory>/<kind>-<random>.pending`, and its owner's alone. A process has its file
/// locked as long as it lives: one that can be locked was left. A process must not look into its
/// own in that way: when the second descriptor is closed, the kernel takes the lock back.
public final class MappedFile implements AutoCloseable {
    private static final Set<StandardOpenOption> NEW =
            Set.of(
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);

    private static final int PAGE_BYTES = 4096;

    /// Those that this process has open.
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;
    private final MappedByteBuffer bytes;

    private MappedFile(Path file, FileChannel channel, int size) throws IOException {
        this.file = file;
        this.channel = channel;
        this.bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, size);
        OWN.add(file);
    }

    /// A new file full of zeros, with room on the disk: one that is full must not show when memory
    /// is written. A file system that copies on writing, or compresses, has none to keep.
    public static MappedFile create(Path directory, String kind, int size) {
        try {
            while (true) {
                var name = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
                var file = directory.toRealPath().resolve(kind + "-" + name + ".pending");
                var channel = create(file);
                channel.lock();
                // Somebody who cleans up may have taken it for one that was left.
                if (Files.exists(file)) {
                    fill(channel, size);
                    return new MappedFile(file, channel, size);
                }
                channel.close();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot create a file in " + directory, failure);
        }
    }

    /// Page by page: of what is written at once the kernel may make one large page of its cache,
    /// which counts as written as a whole when a byte of it changes.
    private static void fill(FileChannel channel, int size) throws IOException {
        var zeros = ByteBuffer.allocateDirect(PAGE_BYTES);
        for (int left = size; left > 0; ) {
            zeros.clear().limit(Math.min(left, PAGE_BYTES));
            left -= channel.write(zeros);
        }
    }

    private static FileChannel create(Path file) throws IOException {
        return FileChannel.open(
                file,
                NEW,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    /// Those that processes left when they ended, for this process to take care of.
    public static List<MappedFile> left(Path directory, String kind, int size) {
        try (var files = Files.newDirectoryStream(directory.toRealPath(), kind + "-*.pending")) {
            var all = new ArrayList<MappedFile>();
            for (var file : files) {
                if (!OWN.contains(file)) {
                    left(file, size).ifPresent(all::add);
                }
            }
            return all;
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read " + directory, failure);
        }
    }

    /// @return empty when its process is alive, or somebody else takes care of it
    private static Optional<MappedFile> left(Path file, int size) throws IOException {
        try {
            var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (locked(channel) && Files.exists(file)) {
                return Optional.of(new MappedFile(file, channel, size));
            }
            channel.close();
            return Optional.empty();
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    /// Whether a process that lives has such a file, be it this one.
    static boolean isHeld(Path directory, String kind) {
        try (var files = Files.newDirectoryStream(directory.toRealPath(), kind + "-*.pending")) {
            for (var file : files) {
                if (OWN.contains(file) || isHeld(file)) {
                    return true;
                }
            }
            return false;
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read " + directory, failure);
        }
    }

    private static boolean isHeld(Path file) throws IOException {
        try (var channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return !locked(channel);
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException _) {
            return false;
        }
    }

    public String name() {
        return String.valueOf(file.getFileName());
    }

    public MappedByteBuffer bytes() {
        return bytes;
    }

    /// Leaves the file for whoever comes next.
    @Override
    public void close() {
        OWN.remove(file);
        try {
            channel.close();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot close " + file, failure);
        }
    }

    /// For when everything in it is in the database.
    public void remove() {
        try {
            Files.delete(file);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot remove " + file, failure);
        }
        close();
    }
}
