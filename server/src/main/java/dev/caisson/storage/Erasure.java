package dev.caisson.storage;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.caisson.linux.UntrustedDirectory;
import dev.caisson.storage.tree.OpenDirectories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.Iterator;
import java.util.Optional;

/// Recursive deletion: removes a directory with everything in it, however hostile.
///
/// No link is followed: every step is relative to a directory that was opened as one. A directory
/// in a directory is moved up to the top before it is emptied, so that depth costs neither stack
/// nor descriptors.
public final class Erasure implements AutoCloseable {
    private final SecureDirectoryStream<Path> top;
    private Optional<Round> round = Optional.empty();
    private Optional<Inner> inner = Optional.empty();
    private boolean more = true;
    private long moved;
    private long removed;

    private Erasure(SecureDirectoryStream<Path> top) {
        this.top = top;
    }

    /// One look at all that is at the top.
    private record Round(SecureDirectoryStream<Path> stream, Iterator<Path> entries) {
        static Round of(SecureDirectoryStream<Path> stream) {
            return new Round(stream, stream.iterator());
        }
    }

    /// A directory at the top that is being emptied.
    private record Inner(Path name, SecureDirectoryStream<Path> stream, Iterator<Path> entries) {}

    /// Erases a directory of ours; one that is not there is fine.
    public static void erase(Path directory) {
        if (Files.notExists(directory, NOFOLLOW_LINKS)) {
            return;
        }
        try {
            try (var erasure = new Erasure(OpenDirectories.open(directory))) {
                while (erasure.next()) {
                    // Everything is done in there.
                }
            }
            Files.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("a workspace cannot be erased", e);
        }
    }

    /// Empties a directory, step by step.
    public static Erasure begin(UntrustedDirectory directory) throws IOException {
        return new Erasure(OpenDirectories.open(directory.path()));
    }

    /// How many files and directories are gone.
    public long removed() {
        return removed;
    }

    /// Removes something. There are rounds until nothing is left: each empties the directories at
    /// the top by one level. What somebody else removes at the same time is fine.
    ///
    /// @return whether there is another step
    public boolean next() throws IOException {
        try {
            if (inner.isPresent()) {
                stepInside(inner.get());
            } else if (round.isPresent()) {
                step(round.get());
            } else if (more) {
                more = false;
                moved++;
                round = Optional.of(Round.of(OpenDirectories.reopen(top)));
            } else {
                return false;
            }
            return true;
        } catch (NoSuchFileException goneAlready) {
            return true;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private void step(Round now) throws IOException {
        if (!now.entries().hasNext()) {
            round = Optional.empty();
            now.stream().close();
            return;
        }
        var name = now.entries().next().getFileName();
        if (isDirectory(top, name)) {
            var stream = top.newDirectoryStream(name, NOFOLLOW_LINKS);
            inner = Optional.of(new Inner(name, stream, stream.iterator()));
        } else {
            top.deleteFile(name);
            removed++;
        }
    }

    private void stepInside(Inner now) throws IOException {
        if (now.entries().hasNext()) {
            remove(now.stream(), now.entries().next().getFileName());
            return;
        }
        inner = Optional.empty();
        now.stream().close();
        top.deleteDirectory(now.name());
        removed++;
    }

    /// A directory is moved to the top, so that another round is needed.
    private void remove(SecureDirectoryStream<Path> from, Path name) throws IOException {
        if (isDirectory(from, name)) {
            from.move(name, top, Path.of(".erase-" + System.nanoTime() + "-" + moved++));
            more = true;
        } else {
            from.deleteFile(name);
            removed++;
        }
    }

    private static boolean isDirectory(SecureDirectoryStream<Path> parent, Path name)
            throws IOException {
        return parent.getFileAttributeView(name, BasicFileAttributeView.class, NOFOLLOW_LINKS)
                .readAttributes()
                .isDirectory();
    }

    @Override
    public void close() throws IOException {
        try (top) {
            if (inner.isPresent()) {
                inner.get().stream().close();
            }
            if (round.isPresent()) {
                round.get().stream().close();
            }
        }
    }
}
