package dev.caisson.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The files of [Pending] in a directory.
final class PendingFiles {
    private static final Set<StandardOpenOption> NEW =
            Set.of(
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);

    private PendingFiles() {}

    /// The owner's alone.
    static FileChannel create(Path file) throws IOException {
        return FileChannel.open(
                file,
                NEW,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    static boolean locked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException _) {
            return false;
        }
    }

    /// Those of all processes, alive or not.
    static List<Path> in(Path directory) {
        try (var files = Files.newDirectoryStream(directory, "ledger-*.pending")) {
            var all = new ArrayList<Path>();
            files.forEach(all::add);
            return all;
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read " + directory, failure);
        }
    }
}
