package dev.caisson.storage;

import dev.caisson.sandbox.Workspace;
import java.io.IOException;
import java.nio.file.Path;

/// Workspaces as plain directories: the reduced tier, where the host's disk is the only limit.
public final class DirectoryWorkspaces implements WorkspaceMaker {
    private static final String FILES = "files";

    @Override
    public Opened open(Path directory) throws IOException {
        var files = Handles.privateDirectory(directory.resolve(FILES));
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
