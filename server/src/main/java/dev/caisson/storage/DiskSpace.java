package dev.caisson.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Space of the disk that a directory is on.
///
/// @param freeBytes that the server may still write
public record DiskSpace(long totalBytes, long freeBytes) {
    /// @param directory need not be there yet: then it is the nearest one above that is
    public static DiskSpace of(Path directory) {
        try {
            var store = Files.getFileStore(existing(directory));
            return new DiskSpace(store.getTotalSpace(), store.getUsableSpace());
        } catch (IOException failed) {
            throw new UncheckedIOException("the disk of " + directory + " cannot be read", failed);
        }
    }

    /// Whether two directories are, or will be, on one disk.
    public static boolean isSame(Path one, Path other) {
        try {
            return Files.getFileStore(existing(one)).equals(Files.getFileStore(existing(other)));
        } catch (IOException failed) {
            throw new UncheckedIOException("a disk cannot be read", failed);
        }
    }

    private static Path existing(Path directory) {
        var found = directory.toAbsolutePath();
        while (Files.notExists(found) && found.getParent() != null) {
            found = found.getParent();
        }
        return found;
    }
}
