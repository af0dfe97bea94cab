package dev.caisson.storage;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What the server itself does with a workspace a program has left: it lists and reads regular
/// files, and nothing else.
///
/// The tree is hostile. Each step down is relative to an open directory and refuses links, special
/// files are never opened, and depth and number are bounded, so that no arrangement of names leads
/// out of the workspace, hangs or exhausts the server. The caller holds the workspace's lease, so
/// nothing in a sandbox changes the tree meanwhile; nothing here relies on that for safety.
public final class WorkspaceFiles {
    /// @param entries of any kind that are looked at
    /// @param depth of directories that are entered; 1 is the root alone
    public record Bounds(int entries, int depth) {
        public static final Bounds DEFAULT = new Bounds(20_000, 32);
    }

    private final Bounds bounds;

    public WorkspaceFiles(Bounds bounds) {
        this.bounds = bounds;
    }

    public Listing list(Path root) {
        var walk = new Walk();
        try (var top = Trees.open(root)) {
            walk.enter(top, Path.of(""), 1);
        } catch (IOException e) {
            throw new UncheckedIOException("a workspace cannot be listed", e);
        }
        walk.files.sort(Comparator.comparing(WorkspaceFile::path));
        return new Listing(walk.files, walk.complete);
    }

    /// The content of a listed file.
    ///
    /// @return empty when it is not there any more as it was, or larger than `bytesMax`
    public Optional<byte[]> read(Path root, WorkspaceFile file, int bytesMax) {
        try (var top = Trees.open(root)) {
            return read(top, file.path(), file, bytesMax);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<byte[]> read(
            SecureDirectoryStream<Path> directory, Path rest, WorkspaceFile file, int bytesMax)
            throws IOException {
        var name = rest.getName(0);
        if (rest.getNameCount() > 1) {
            try (var inner = directory.newDirectoryStream(name, NOFOLLOW_LINKS)) {
                return read(inner, rest.subpath(1, rest.getNameCount()), file, bytesMax);
            }
        }
        var attributes = attributes(directory, name);
        if (!attributes.isRegularFile()
                || attributes.size() > bytesMax
                || !identity(attributes).equals(file.identity())) {
            return Optional.empty();
        }
        var options = Set.of(StandardOpenOption.READ, NOFOLLOW_LINKS);
        try (var channel = directory.newByteChannel(name, options)) {
            return readAtMost(channel, bytesMax);
        }
    }

    private static Optional<byte[]> readAtMost(SeekableByteChannel channel, int bytesMax)
            throws IOException {
        var buffer = ByteBuffer.allocate(bytesMax + 1);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                return Optional.of(Arrays.copyOf(buffer.array(), buffer.position()));
            }
        }
        return Optional.empty();
    }

    private static BasicFileAttributes attributes(SecureDirectoryStream<Path> parent, Path name)
            throws IOException {
        return parent.getFileAttributeView(name, BasicFileAttributeView.class, NOFOLLOW_LINKS)
                .readAttributes();
    }

    private static String identity(BasicFileAttributes attributes) {
        return String.valueOf(attributes.fileKey());
    }

    /// One walk through a tree. A directory's own files come before those of the directories in it,
    /// so that a bound cuts what is deep.
    private final class Walk {
        private final List<WorkspaceFile> files = new ArrayList<>();
        private boolean complete = true;
        private int seen;

        void enter(SecureDirectoryStream<Path> directory, Path path, int depth) throws IOException {
            for (var name : look(directory, path)) {
                if (depth >= bounds.depth()) {
                    complete = false;
                    return;
                }
                try (var inner = directory.newDirectoryStream(name, NOFOLLOW_LINKS)) {
                    enter(inner, path.resolve(name), depth + 1);
                } catch (IOException e) {
                    complete = false;
                }
            }
        }

        /// Notes the files of a directory.
        ///
        /// @return the directories in it
        private List<Path> look(SecureDirectoryStream<Path> directory, Path path)
                throws IOException {
            var directories = new ArrayList<Path>();
            try {
                for (var entry : directory) {
                    if (++seen > bounds.entries()) {
                        complete = false;
                        return directories;
                    }
                    note(directory, path, entry.getFileName(), directories);
                }
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
            return directories;
        }

        private void note(
                SecureDirectoryStream<Path> directory,
                Path path,
                Path name,
                List<Path> directories) {
            try {
                var attributes = attributes(directory, name);
                if (attributes.isDirectory()) {
                    directories.add(name);
                } else if (attributes.isRegularFile()) {
                    files.add(
                            new WorkspaceFile(
                                    path.resolve(name),
                                    attributes.size(),
                                    attributes.lastModifiedTime().toInstant(),
                                    identity(attributes)));
                }
            } catch (IOException e) {
                complete = false;
            }
        }
    }
}
