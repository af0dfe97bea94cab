package dev.caisson.storage;

import dev.caisson.linux.KernelException;
import dev.caisson.linux.UntrustedDirectory;
import dev.caisson.share.CallerWorkers;
import dev.caisson.share.Workers;
import dev.caisson.storage.tree.Walk;
import dev.caisson.storage.tree.WalkEntry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Snapshots of a workspace, and what a run made of it: the server looks at it before and after,
/// and takes the pictures. Only regular files are seen, see [UntrustedDirectory].
public final class WorkspaceFiles {
    private static final int STEPS_AT_ONCE = 200;

    private final WalkBounds bounds;
    private final Workers workers;

    public WorkspaceFiles(WalkBounds bounds, Workers workers) {
        this.bounds = bounds;
        this.workers = workers;
    }

    /// A small workspace is listed at once, a large one on threads that compute.
    ///
    /// @param caller whose it is
    public Listing list(String caller, Path root) throws InterruptedException {
        var files = new ArrayList<WorkspaceFile>();
        try (var walk =
                new Walk(
                        UntrustedDirectory.open(root),
                        FilePath.ROOT,
                        bounds,
                        met -> add(files, met.look()))) {
            if (goOn(walk)) {
                workers.runAll(caller, walk::next);
            }
            files.sort(Comparator.comparing(WorkspaceFile::path));
            return new Listing(files, walk.complete());
        } catch (IOException e) {
            throw new UncheckedIOException("a workspace cannot be listed", e);
        }
    }

    /// The files of a workspace that a caller has to itself, to put some there.
    public FileTree tree(String caller, Lease lease) {
        return new FileTree(
                lease.root(),
                bounds,
                lease.changes(),
                () -> {},
                new CallerWorkers(workers, caller));
    }

    private static boolean goOn(Walk walk) throws IOException {
        var more = true;
        for (var step = 0; more && step < STEPS_AT_ONCE; step++) {
            more = walk.next();
        }
        return more;
    }

    private static boolean add(List<WorkspaceFile> files, WalkEntry found) {
        if (found.node().isFile()) {
            files.add(WorkspaceFile.of(found.path(), found.node()));
        }
        return found.node().isDirectory();
    }

    /// The content of a listed file.
    ///
    /// @return empty when it is not there any more as it was, or larger than `bytesMax`
    public Optional<byte[]> read(Path root, WorkspaceFile file, int bytesMax) {
        try (var top = UntrustedDirectory.open(root);
                var opened = top.read(file.path().bytes())) {
            var isAsListed = WorkspaceFile.identity(opened.node()).equals(file.identity());
            return isAsListed && opened.node().size() <= bytesMax
                    ? readAtMost(opened.channel(), bytesMax)
                    : Optional.empty();
        } catch (IOException | KernelException e) {
            return Optional.empty();
        }
    }

    /// A regular file that is open for reading.
    ///
    /// @param bytes it had when it was opened
    public record OpenFile(long bytes, InputStream content) implements AutoCloseable {
        @Override
        public void close() {
            try {
                content.close();
            } catch (IOException e) {
                throw new UncheckedIOException("a file of a workspace cannot be closed", e);
            }
        }
    }

    /// @return empty when there is no regular file at this path
    public Optional<OpenFile> open(Path root, FilePath path) {
        try (var top = UntrustedDirectory.open(root)) {
            var opened = top.read(path.bytes());
            return Optional.of(
                    new OpenFile(opened.node().size(), Channels.newInputStream(opened.channel())));
        } catch (IOException | KernelException e) {
            return Optional.empty();
        }
    }

    static Optional<byte[]> readAtMost(FileChannel channel, int bytesMax) throws IOException {
        var buffer = ByteBuffer.allocate((int) Math.min(channel.size(), bytesMax) + 1);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                return Optional.of(Arrays.copyOf(buffer.array(), buffer.position()));
            }
        }
        return Optional.empty();
    }
}
