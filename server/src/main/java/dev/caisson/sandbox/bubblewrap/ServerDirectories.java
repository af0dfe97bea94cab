package dev.caisson.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/// Server directories, which belong to the server alone: no program ever writes to one.
public final class ServerDirectories {
    private ServerDirectories() {}

    /// Makes a directory everyone may look into, whatever the server's umask.
    public static void directory(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /// Deletes a tree without following links. One that is not there is fine, and so is another
    /// server that deletes the same leftovers meanwhile.
    public static void delete(Path directory) throws IOException {
        if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            Files.walkFileTree(directory, new Deletion());
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failed) throws IOException {
            if (failed instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failed;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failed)
                throws IOException {
            if (failed != null && !(failed instanceof NoSuchFileException)) {
                throw failed;
            }
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
