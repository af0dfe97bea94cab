package dev.caisson.storage;

import dev.caisson.sandbox.Workspace;
import dev.caisson.storage.image.OpenWorkspaces;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

/// The right to run something in a workspace until it is closed, held by nobody else at the same
/// time. The workspace is opened when it is first asked for, so that a call that waits for a place
/// takes nothing of the disk.
public final class Lease implements AutoCloseable {
    private final Opening opening;
    private final boolean fresh;
    private final Runnable release;
    private Optional<OpenWorkspaces.Use> use = Optional.empty();
    private boolean closed;

    /// Opens the workspace, which takes room on the disk from then on.
    public interface Opening {
        OpenWorkspaces.Use open();
    }

    /// @param release what follows once the workspace is closed
    public Lease(Opening opening, boolean fresh, Runnable release) {
        this.opening = opening;
        this.fresh = fresh;
        this.release = release;
    }

    /// Of a workspace that nobody else can ever have.
    public static OpenWorkspaces.Use temporary(WorkspaceMaker.Opened opened) {
        return new OnlyUse(opened, new LastListing());
    }

    private record OnlyUse(WorkspaceMaker.Opened opened, LastListing changes)
            implements OpenWorkspaces.Use {
        @Override
        public OpenWorkspaces.Use again() {
            throw new IllegalStateException("a temporary workspace is not shared");
        }

        @Override
        public void close() {
            opened.close();
        }
    }

    /// Opens the workspace when it is not.
    ///
    /// @throws dev.caisson.call.Refusal when it is in use elsewhere, or the disk has no room for it
    private synchronized OpenWorkspaces.Use use() {
        if (closed) {
            throw new IllegalStateException("the lease of this workspace is over");
        }
        if (use.isEmpty()) {
            use = Optional.of(opening.open());
        }
        return use.get();
    }

    /// Whether somebody asked for what is in the workspace.
    public synchronized boolean isOpen() {
        return use.isPresent();
    }

    /// For a program that may write to it.
    ///
    /// @throws dev.caisson.call.Refusal when the disk has no room for what it may write
    public Workspace workspace() {
        var opened = use().opened();
        opened.confirmRoom();
        return opened.workspace();
    }

    /// Where the server itself finds the files, see [FileTree].
    public Path root() {
        return use().opened().root();
    }

    /// Held while something is changed, see [FileTree].
    Lock changes() {
        return use().changes();
    }

    /// What the last run left in it, as far as that is known, see [LastListing].
    public Optional<Listing> lastListing() {
        return use().changes().take();
    }

    /// Lists what a run left in it, and keeps that for the next run where nobody but the server and
    /// its programs can change it meanwhile.
    ///
    /// @param caller whose it is
    public Listing list(WorkspaceFiles files, String caller) throws InterruptedException {
        var kept = use().changes();
        long before = kept.changes();
        var listing = files.list(caller, root());
        if (workspace() instanceof Workspace.Image) {
            kept.keep(listing, before);
        }
        return listing;
    }

    /// Whether the workspace was made for this lease, and is empty therefore.
    public boolean fresh() {
        return fresh;
    }

    /// Keeps the workspace open when this lease is closed, without the right to run anything: what
    /// is left running in it goes on, and the next one who has the lease shares it.
    public Keep keep() {
        return use().again()::close;
    }

    /// A workspace that stays open until this is closed.
    public interface Keep extends AutoCloseable {
        @Override
        void close();
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            use.ifPresent(OpenWorkspaces.Use::close);
        } finally {
            release.run();
        }
    }
}
