package dev.caisson.storage;

import dev.caisson.linux.Room;
import dev.caisson.linux.UntrustedDirectory;
import dev.caisson.sandbox.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/// Workspaces as plain directories: the reduced tier, where the host's disk is the only limit.
public final class DirectoryWorkspaces implements WorkspaceMaker {
    private static final String FILES = "files";

    private final Optional<Integer> owner;

    /// @param owner user and group the files belong to on disk; empty when the server is a plain
    ///   user and they belong to itself
    public DirectoryWorkspaces(Optional<Integer> owner) {
        this.owner = owner;
    }

    @Override
    public Opened open(Path directory) throws IOException {
        var files = directory.resolve(FILES);
        if (Files.notExists(files)) {
            Handles.privateDirectory(files);
            if (owner.isPresent()) {
                Files.setAttribute(files, "unix:uid", owner.get());
                Files.setAttribute(files, "unix:gid", owner.get());
            }
        }
        Roots.reopen(files);
        return new OpenDirectory(files);
    }

    @Override
    public Room room(Path directory) throws IOException {
        var files = directory.resolve(FILES);
        return Files.exists(files)
                ? roomOf(files)
                : new Room(0, OptionalLong.empty(), 0, OptionalLong.empty());
    }

    /// Counted, as far as the server looks.
    private static Room roomOf(Path files) throws IOException {
        var bytes = new AtomicLong();
        var count = new AtomicLong();
        try (var root = UntrustedDirectory.open(files)) {
            var walk =
                    new Walk(
                            Bounds.ASKED,
                            true,
                            (_, found) -> {
                                bytes.addAndGet(found.node().allocatedBytes());
                                count.incrementAndGet();
                            });
            walk.through(root, FilePath.ROOT);
        }
        return new Room(bytes.get(), OptionalLong.empty(), count.get(), OptionalLong.empty());
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
        public Room room() throws IOException {
            return roomOf(root);
        }

        @Override
        public void close() {}
    }
}
