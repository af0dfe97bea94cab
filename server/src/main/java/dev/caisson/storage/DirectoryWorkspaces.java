package dev.caisson.storage;

import dev.caisson.linux.DiskUsage;
import dev.caisson.linux.UntrustedDirectory;
import dev.caisson.sandbox.Workspace;
import dev.caisson.share.CallerWorkers;
import dev.caisson.storage.tree.Roots;
import dev.caisson.storage.tree.Walk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/// Workspaces as plain directories: the reduced tier, where the host's disk is the only limit.
public final class DirectoryWorkspaces implements WorkspaceMaker {
    public static final String FILES = "files";
    private static final DiskUsage EMPTY =
            new DiskUsage(0, OptionalLong.empty(), 0, OptionalLong.empty());

    private final Optional<Integer> owner;

    /// @param owner user and group the files belong to on disk; empty when the server is a plain
    ///   user and they belong to itself
    public DirectoryWorkspaces(Optional<Integer> owner) {
        this.owner = owner;
    }

    @Override
    public Opened open(Path directory, String holder) throws IOException {
        var files = directory.resolve(FILES);
        if (Files.notExists(files)) {
            HashedNames.privateDirectory(files);
            if (owner.isPresent()) {
                Files.setAttribute(files, "unix:uid", owner.get());
                Files.setAttribute(files, "unix:gid", owner.get());
            }
        }
        Roots.reopen(files);
        return new OpenDirectory(files);
    }

    @Override
    public boolean isThere(Path directory) {
        return Files.exists(directory.resolve(FILES));
    }

    @Override
    public DiskUsage room(Path directory) throws IOException {
        var files = directory.resolve(FILES);
        return Files.exists(files) ? roomOf(files) : EMPTY;
    }

    @Override
    public Optional<DiskUsage> counted(Path directory, CallerWorkers computing) throws IOException {
        var files = directory.resolve(FILES);
        return Optional.of(
                Files.exists(files) ? roomOf(files, walk -> computing.finish(walk::next)) : EMPTY);
    }

    private static DiskUsage roomOf(Path files) throws IOException {
        return roomOf(files, Walk::through);
    }

    private interface Through {
        void go(Walk walk) throws IOException;
    }

    /// Counted, as far as the server looks.
    private static DiskUsage roomOf(Path files, Through through) throws IOException {
        var bytes = new AtomicLong();
        var count = new AtomicLong();
        Walk.Visitor counting =
                met -> {
                    var node = met.look().node();
                    bytes.addAndGet(node.allocatedBytes());
                    count.incrementAndGet();
                    return node.isDirectory();
                };
        try (var walk =
                new Walk(
                        UntrustedDirectory.open(files),
                        FilePath.ROOT,
                        WalkBounds.ASKED,
                        counting)) {
            through.go(walk);
        }
        return new DiskUsage(bytes.get(), OptionalLong.empty(), count.get(), OptionalLong.empty());
    }

    @Override
    public String capacity() {
        return "no limit of its own";
    }

    private record OpenDirectory(Path root) implements Opened {
        @Override
        public Workspace workspace() {
            return new Workspace.Directory(root);
        }

        @Override
        public DiskUsage room() throws IOException {
            return roomOf(root);
        }

        @Override
        public void close() {}
    }
}
