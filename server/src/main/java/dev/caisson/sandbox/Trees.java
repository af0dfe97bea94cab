package dev.caisson.sandbox;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/// Directories that belong to the server alone; no program ever writes to one.
final class Trees {
    private Trees() {}

    /// Makes a directory everyone may look into, whatever the server's umask.
    static void directory(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /// Deletes a tree without following links; one that is not there is fine.
    static void delete(Path directory) throws IOException {
        if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            Files.walkFileTree(directory, new Deletion());
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failed)
                throws IOException {
            if (failed != null) {
                throw failed;
            }
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
