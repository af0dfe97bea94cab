package dev.caisson.storage;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.linux.Errno;
import dev.caisson.linux.KernelException;
import dev.caisson.linux.Node;
import dev.caisson.linux.UntrustedDirectory;
import dev.caisson.search.SeekBounds;
import dev.caisson.search.Seeker;
import dev.caisson.share.CallerWorkers;
import dev.caisson.storage.archive.Archive;
import dev.caisson.storage.archive.CountingStream;
import dev.caisson.storage.change.ChangeJournal;
import dev.caisson.storage.change.ChangeSet;
import dev.caisson.storage.tree.PageWalk;
import dev.caisson.storage.tree.Removal;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

/// The files of a thread or a volume, open for a while. Programs may change them at the same time:
/// every method sees some state of them, and none is led elsewhere, see [UntrustedDirectory].
/// Changes through the server are made one after the other, however many have it open.
///
/// A path that is not there, or leads over a link, is refused as NOT_FOUND.
public final class FileTree implements AutoCloseable {
    private final UntrustedDirectory root;
    private final WalkBounds bounds;
    private final Lock changes;
    private final Runnable release;
    private final CallerWorkers computing;
    private final FileMeter meter;
    private final Optional<ChangeJournal> journal;

    /// @param changes held while something is changed
    /// @param release what follows once the tree is closed
    /// @param computing what takes long
    FileTree(
            Path root, WalkBounds bounds, Lock changes, Runnable release, CallerWorkers computing) {
        this(
                UntrustedDirectory.open(root),
                bounds,
                changes,
                release,
                computing,
                FileMeter.NONE,
                Optional.empty());
    }

    private FileTree(
            UntrustedDirectory root,
            WalkBounds bounds,
            Lock changes,
            Runnable release,
            CallerWorkers computing,
            FileMeter meter,
            Optional<ChangeJournal> journal) {
        this.journal = journal;
        this.computing = computing;
        this.root = root;
        this.bounds = bounds;
        this.changes = changes;
        this.release = release;
        this.meter = meter;
    }

    /// The same, which takes the place of this one.
    ///
    /// @param counts what is read and stored, and which paths lead over links
    FileTree countedBy(FileMeter counts) {
        return new FileTree(root, bounds, changes, release, computing, counts, journal);
    }

    /// The same, which takes the place of this one, and changes several files at once.
    ///
    /// @param directory of the server's own, in which they are kept
    FileTree journaled(Path directory) {
        var kept = Optional.of(new ChangeJournal(directory));
        return new FileTree(root, bounds, changes, release, computing, meter, kept);
    }

    /// What is in a directory, a page at a time.
    ///
    /// @param recursive with all that is in directories below
    /// @param after the `next` of the page before
    public FilePage list(FilePath directory, boolean recursive, Optional<String> after, int limit)
            throws InterruptedException {
        var from = new FilePath(after.orElse(""));
        return attempt(
                directory,
                () -> {
                    try (var walk = new PageWalk(root, directory, recursive, from, limit, bounds)) {
                        computing.runAll(walk::next);
                        return walk.page();
                    }
                });
    }

    public StoredFile look(FilePath path) {
        return attemptNow(path, () -> StoredFile.of(path, root.look(path.bytes())));
    }

    /// Opens a regular file.
    ///
    /// @throws Refusal NOT_FOUND also for everything else
    public FileContent read(FilePath path) {
        return attemptNow(
                path,
                () -> {
                    var opened = root.read(path.bytes());
                    return new FileContent(
                            StoredFile.of(path, opened.node()), opened.channel(), meter::read);
                });
    }

    /// Begins a file, which appears under its name, in the place of what had it, when it is
    /// complete. Directories on the way are made.
    ///
    /// @param expected what must be there now, and still when it is complete
    public Upload upload(FilePath path, Expected expected) throws InterruptedException {
        if (path.isRoot()) {
            throw new Refusal(Reason.INVALID_ARGUMENT, "path must name a file.");
        }
        return attempt(
                path,
                () ->
                        Upload.begin(
                                root, path, expected, changes, computing, meter, Optional.empty()));
    }

    /// The same for a file that is changed in steps, as an agent does: it keeps permissions, and is
    /// as durable as what a program writes.
    ///
    /// @param like a file whose permissions it gets; the usual ones where there is none
    public Upload rewrite(FilePath path, Expected expected, FilePath like)
            throws InterruptedException {
        if (path.isRoot()) {
            throw new Refusal(Reason.INVALID_ARGUMENT, "path must name a file.");
        }
        return attempt(
                path,
                () ->
                        Upload.begin(
                                root,
                                path,
                                expected,
                                changes,
                                computing,
                                meter,
                                Optional.of(new Upload.Rewrite(permissions(like)))));
    }

    /// Changes several files: all of them, or none, also when this process is killed meanwhile.
    /// Directories on the way are made. As [#rewrite] it keeps permissions and flushes nothing.
    ///
    /// @param wanted of different paths, none of which is the root
    public void changeAll(List<FileChange> wanted) throws InterruptedException {
        var kept =
                journal.orElseThrow(
                        () -> new IllegalStateException("these files are changed one by one"));
        attempt(
                wanted.getFirst().path(),
                () -> {
                    new ChangeSet(root, changes, computing, kept).make(wanted);
                    for (var change : wanted) {
                        change.content().ifPresent(content -> meter.wrote(content.length));
                    }
                    return true;
                });
    }

    private Optional<Integer> permissions(FilePath like) {
        try {
            var node = root.look(like.bytes());
            return node.isFile() ? Optional.of(node.permissions()) : Optional.empty();
        } catch (KernelException absent) {
            return Optional.empty();
        }
    }

    /// Opens a regular file, also over links that stay inside.
    public FileContent readInside(FilePath path) {
        return attemptNow(
                path,
                () -> {
                    var opened = root.readInside(path.bytes());
                    return new FileContent(
                            StoredFile.of(path, opened.node()), opened.channel(), meter::read);
                });
    }

    /// Where a link leads by its own words; empty for anything else.
    public Optional<byte[]> linkTarget(FilePath path) {
        if (path.isRoot()) {
            return Optional.empty();
        }
        try (var directory = root.enter(path.parent().orElseThrow().bytes())) {
            return directory.look(path.nameBytes()).kind() == Node.Kind.LINK
                    ? Optional.of(directory.target(path.nameBytes()))
                    : Optional.empty();
        } catch (KernelException absent) {
            return Optional.empty();
        }
    }

    /// Walks through the files in several strands, each with a visitor of its own.
    public Seeker seek(
            FilePath start, Seeker.Wish wish, SeekBounds limits, Supplier<Seeker.Visitor> visitors)
            throws InterruptedException {
        return attempt(
                start,
                () -> {
                    var seeker = new Seeker(root, wish, limits);
                    new SeekRun(seeker, computing).run(visitors);
                    return seeker;
                });
    }

    /// What an open file holds, see [ContentHash].
    ///
    /// @return empty for a file that is too large
    public Optional<String> hash(FileContent content) throws IOException, InterruptedException {
        return ContentHash.of(content, computing);
    }

    /// Removes a file, a link, an empty directory, or a directory with all that is in it. The
    /// directory is gone at once for other changes; those do not wait until its files are erased.
    ///
    /// @param expected what must be there
    /// @return how many files and directories are gone
    public long delete(FilePath path, boolean recursive, Expected expected)
            throws InterruptedException {
        var removal = new Removal(root, changes, computing);
        return attempt(path, () -> removal.remove(path, recursive, expected));
    }

    /// Everything in it as one archive.
    ///
    /// @param to opened when it is known that there will be one, written to on the calling thread,
    ///   and closed when the archive is whole
    /// @throws Refusal TOO_LARGE when there is more than `limits` allow
    public void archive(ArchiveFormat format, ArchiveLimits limits, Target to)
            throws IOException, InterruptedException {
        limits.require(root, bounds, computing);
        var opened = new CountingStream(to.open(), meter::read);
        Archive.write(root, bounds, limits, format, computing, opened);
        opened.close();
    }

    /// Where an archive goes.
    @FunctionalInterface
    public interface Target {
        OutputStream open() throws IOException;
    }

    private interface Act<T> {
        T run() throws IOException;
    }

    private interface LongAct<T> {
        T run() throws IOException, InterruptedException;
    }

    private <T> T attemptNow(FilePath path, Act<T> act) {
        try {
            return act.run();
        } catch (KernelException e) {
            throw refusal(path, e);
        } catch (IOException e) {
            throw FileErrors.thrown(e);
        }
    }

    private <T> T attempt(FilePath path, LongAct<T> act) throws InterruptedException {
        try {
            return act.run();
        } catch (KernelException e) {
            throw refusal(path, e);
        } catch (IOException e) {
            throw FileErrors.thrown(e);
        }
    }

    private RuntimeException refusal(FilePath path, KernelException failed) {
        if (failed.errno() == Errno.ELOOP || failed.errno() == Errno.EXDEV) {
            meter.refused(FileMeter.Kind.LINK);
        }
        return FileErrors.refusal(path, failed);
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
