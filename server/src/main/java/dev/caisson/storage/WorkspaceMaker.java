package dev.caisson.storage;

import dev.caisson.sandbox.Workspace;
import java.io.IOException;
import java.nio.file.Path;

/// Makes workspaces out of what is kept in a directory of the server's.
public interface WorkspaceMaker {
    /// Opens the workspace that is kept in a directory, and makes it when there is none.
    Opened open(Path directory) throws IOException;

    /// What fits into one, as a phrase for people, such as `1 GiB and 100,000 files`; says so when
    /// there is no limit.
    String capacity();

    /// A workspace in use.
    interface Opened extends AutoCloseable {
        Workspace workspace();

        /// Where the server itself finds the files. What lies below is hostile: see
        /// [WorkspaceFiles].
        Path root();

        @Override
        void close();
    }
}
