package dev.caisson.storage;

import dev.caisson.linux.KernelException;
import dev.caisson.linux.UntrustedDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;

/// What a run made of its workspace: the server looks at it before and after, and takes the
/// pictures. Only regular files are seen, see [UntrustedDirectory].
public final class WorkspaceFiles {
    private final Bounds bounds;

    public WorkspaceFiles(Bounds bounds) {
        this.bounds = bounds;
    }

    public Listing list(Path root) {
        var files = new ArrayList<WorkspaceFile>();
        var walk =
                new Walk(
                        bounds,
                        true,
                        (_, found) -> {
                            if (found.node().isFile()) {
                                files.add(WorkspaceFile.of(found.path(), found.node()));
                            }
                        });
        try (var top = UntrustedDirectory.open(root)) {
            var complete = walk.through(top, FilePath.ROOT);
            files.sort(Comparator.comparing(WorkspaceFile::path));
            return new Listing(files, complete);
        } catch (IOException e) {
            throw new UncheckedIOException("a workspace cannot be listed", e);
        }
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
