package dev.caisson.storage;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.linux.KernelException;
import dev.caisson.linux.UntrustedDirectory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;

/// The files of a thread or a volume, open for a while. Programs may change them at the same time:
/// every method sees some state of them, and none is led elsewhere, see [UntrustedDirectory].
/// Changes through the server are made one after the other, however many have it open.
///
/// A path that is not there, or leads over a link, is refused as NOT_FOUND.
public final class FileTree implements AutoCloseable {
    private final UntrustedDirectory root;
    private final Bounds bounds;
    private final Lock changes;
    private final Runnable release;

    /// @param changes held while something is changed
    /// @param release what follows once the tree is closed
    FileTree(Path root, Bounds bounds, Lock changes, Runnable release) {
        this.root = UntrustedDirectory.open(root);
        this.bounds = bounds;
        this.changes = changes;
        this.release = release;
    }

    /// What is in a directory, a page at a time.
    ///
    /// @param recursive with all that is in directories below
    /// @param after the `next` of the page before
    public FilePage list(FilePath directory, boolean recursive, Optional<String> after, int limit) {
        var page = new TreeMap<FilePath, StoredFile>();
        var from = new FilePath(after.orElse(""));
        var walk =
                new Walk(
                        bounds,
                        recursive,
                        (_, found) -> {
                            if (found.path().compareTo(from) > 0) {
                                page.put(found.path(), StoredFile.of(found.path(), found.node()));
                                if (page.size() > limit + 1) {
                                    page.pollLastEntry();
                                }
                            }
                        });
        var complete = in(directory, entered -> walk.through(entered, directory));
        var more = page.size() > limit;
        if (more) {
            page.pollLastEntry();
        }
        return new FilePage(
                page.values().stream().toList(),
                more ? Optional.of(page.lastKey().text()) : Optional.empty(),
                complete);
    }

    public StoredFile look(FilePath path) {
        return attempt(path, () -> StoredFile.of(path, root.look(path.bytes())));
    }

    /// Opens a regular file.
    ///
    /// @throws Refusal NOT_FOUND also for everything else
    public FileContent read(FilePath path) {
        return attempt(
                path,
                () -> {
                    var opened = root.read(path.bytes());
                    return new FileContent(StoredFile.of(path, opened.node()), opened.channel());
                });
    }

    /// Begins a file, which appears under its name, in the place of what had it, when it is
    /// complete. Directories on the way are made.
    ///
    /// @param expected what must be there now, and still when it is complete
    public Upload upload(FilePath path, Expected expected) {
        if (path.isRoot()) {
            throw new Refusal(Reason.INVALID_ARGUMENT, "path must name a file.");
        }
        return attempt(path, () -> Upload.begin(root, path, expected, changes));
    }

    /// Removes a file, a link, an empty directory, or a directory with all that is in it.
    ///
    /// @param expected what must be there
    /// @return how many files and directories are gone
    public long delete(FilePath path, boolean recursive, Expected expected) {
        changes.lock();
        try {
            return attempt(path, () -> Removal.of(root, path, recursive, expected));
        } finally {
            changes.unlock();
        }
    }

    /// Everything in it as one archive.
    public void archive(ArchiveFormat format, OutputStream to) throws IOException {
        Archive.write(root, bounds, format, to);
    }

    private interface Act<T> {
        T run() throws IOException;
    }

    private interface Inside<T> {
        T run(UntrustedDirectory entered) throws IOException;
    }

    private <T> T in(FilePath directory, Inside<T> act) {
        return attempt(
                directory,
                () -> {
                    try (var entered = root.enter(directory.bytes())) {
                        return act.run(entered);
                    }
                });
    }

    private static <T> T attempt(FilePath path, Act<T> act) {
        try {
            return act.run();
        } catch (KernelException e) {
            throw FileTrouble.refusal(path, e);
        } catch (IOException e) {
            throw FileTrouble.thrown(e);
        }
    }

    @Override
    public void close() {
        try {
            root.close();
        } finally {
            release.run();
        }
    }
}
