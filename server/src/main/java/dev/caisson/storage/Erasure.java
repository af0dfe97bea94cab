package dev.caisson.storage;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.caisson.linux.UntrustedDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;

/// Removes a directory with everything in it, however hostile.
///
/// No link is followed: every step is relative to a directory that was opened as one. A directory
/// in a directory is moved up to the top before it is emptied, so that depth costs neither stack
/// nor descriptors.
final class Erasure {
    private Erasure() {}

    /// Erases a directory of ours; one that is not there is fine.
    static void erase(Path directory) {
        if (Files.notExists(directory, NOFOLLOW_LINKS)) {
            return;
        }
        try {
            try (var top = Trees.open(directory)) {
                new Sweep(top).run();
            }
            Files.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("a workspace cannot be erased", e);
        }
    }

    /// Empties a directory.
    ///
    /// @return how many files and directories are gone
    static long empty(UntrustedDirectory directory) throws IOException {
        try (var top = Trees.open(directory.path())) {
            var sweep = new Sweep(top);
            sweep.run();
            return sweep.removed;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /// Empties one directory.
    private static final class Sweep {
        private final SecureDirectoryStream<Path> top;
        private long moved;
        private long removed;

        Sweep(SecureDirectoryStream<Path> top) {
            this.top = top;
        }

        /// Rounds until nothing is left: each empties the directories at the top by one level.
        void run() throws IOException {
            while (round()) {
                moved++;
            }
        }

        private boolean round() throws IOException {
            var more = false;
            try (var entries = Trees.reopen(top)) {
                for (var entry : entries) {
                    more |= remove(entry.getFileName());
                }
            }
            return more;
        }

        /// @return whether something was moved to the top, so that another round is needed
        private boolean remove(Path name) throws IOException {
            if (!isDirectory(top, name)) {
                top.deleteFile(name);
                removed++;
                return false;
            }
            var more = false;
            try (var inner = top.newDirectoryStream(name, NOFOLLOW_LINKS)) {
                for (var entry : inner) {
                    more |= removeInner(inner, entry.getFileName());
                }
            }
            top.deleteDirectory(name);
            removed++;
            return more;
        }

        private boolean removeInner(SecureDirectoryStream<Path> inner, Path name)
                throws IOException {
            if (!isDirectory(inner, name)) {
                inner.deleteFile(name);
                removed++;
                return false;
            }
            inner.move(name, top, Path.of(".erase-" + System.nanoTime() + "-" + moved++));
            return true;
        }

        private static boolean isDirectory(SecureDirectoryStream<Path> parent, Path name)
                throws IOException {
            return parent.getFileAttributeView(name, BasicFileAttributeView.class, NOFOLLOW_LINKS)
                    .readAttributes()
                    .isDirectory();
        }
    }
}
