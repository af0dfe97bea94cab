package dev.caisson.door;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/// Directory of one process among those of others. A lock proves that its process lives; what
/// processes left that are gone is removed when the next one makes its own.
final class ProcessDirectory implements AutoCloseable {
    private static final String LOCK = ".lock";

    /// A lock younger than this may not have been taken yet.
    private static final Duration FRESH = Duration.ofMinutes(1);

    private final Path path;
    private final Path lock;
    private final FileChannel held;

    private ProcessDirectory(Path path, Path lock, FileChannel held) {
        this.path = path;
        this.lock = lock;
        this.held = held;
    }

    static ProcessDirectory under(Path shared) throws IOException {
        Files.createDirectories(
                shared,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        removeLeft(shared);
        var name = UUID.randomUUID().toString();
        var lock = shared.resolve(name + LOCK);
        var held = FileChannel.open(lock, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        boolean made = false;
        try {
            held.lock();
            var directory = new ProcessDirectory(shared.resolve(name), lock, held);
            Files.createDirectory(directory.path);
            made = true;
            return directory;
        } finally {
            if (!made) {
                held.close();
            }
        }
    }

    private static void removeLeft(Path shared) throws IOException {
        try (var entries = Files.newDirectoryStream(shared, "*" + LOCK)) {
            for (var lock : entries) {
                if (Files.getLastModifiedTime(lock)
                        .toInstant()
                        .isBefore(Instant.now().minus(FRESH))) {
                    removeIfLeft(lock);
                }
            }
        }
    }

    private static void removeIfLeft(Path lock) throws IOException {
        try (var channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                var taken = channel.tryLock()) {
            if (taken != null) {
                var name = lock.getFileName().toString();
                ViewFiles.remove(
                        lock.resolveSibling(name.substring(0, name.length() - LOCK.length())));
                Files.deleteIfExists(lock);
            }
        } catch (OverlappingFileLockException ours) {
            // Another one of this process.
        }
    }

    Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        try (held) {
            ViewFiles.remove(path);
            Files.deleteIfExists(lock);
        }
    }
}
