package dev.caisson.storage;

import dev.caisson.sandbox.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

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
        return new OpenDirectory(files);
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
        public void close() {}
    }
}
