package dev.caisson.storage;

import dev.caisson.sandbox.Workspace;
import java.nio.file.Path;

/// The right to use a workspace until it is closed, held by nobody else at the same time.
public final class Lease implements AutoCloseable {
    private final WorkspaceMaker.Opened opened;
    private final boolean fresh;
    private final Runnable release;

    /// @param release what follows once the workspace is closed
    Lease(WorkspaceMaker.Opened opened, boolean fresh, Runnable release) {
        this.opened = opened;
        this.fresh = fresh;
        this.release = release;
    }

    public Workspace workspace() {
        return opened.workspace();
    }

    /// Where the server itself finds the files, see [WorkspaceFiles].
    public Path root() {
        return opened.root();
    }

    /// Whether the workspace was made for this lease, and is empty therefore.
    public boolean fresh() {
        return fresh;
    }

    @Override
    public void close() {
        try {
            opened.close();
        } finally {
            release.run();
        }
    }
}
