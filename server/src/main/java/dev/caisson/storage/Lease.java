package dev.caisson.storage;

import dev.caisson.sandbox.Workspace;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/// The right to run something in a workspace until it is closed, held by nobody else at the same
/// time. The workspace is opened when it is first asked for, so that a call that waits for a place
/// takes nothing of the disk.
public final class Lease implements AutoCloseable {
    private final Opening opening;
    private final boolean fresh;
    private final Runnable release;
    private Optional<OpenPlaces.Use> use = Optional.empty();
    private boolean closed;

    /// Opens the workspace, which takes room on the disk from then on.
    interface Opening {
        OpenPlaces.Use open();
    }

    /// @param release what follows once the workspace is closed
    Lease(Opening opening, boolean fresh, Runnable release) {
        this.opening = opening;
        this.fresh = fresh;
        this.release = release;
    }

    /// Of a workspace that nobody else can ever have.
    static OpenPlaces.Use temporary(WorkspaceMaker.Opened opened) {
        return new OnlyUse(opened, new ReentrantLock());
    }

    private record OnlyUse(WorkspaceMaker.Opened opened, Lock changes) implements OpenPlaces.Use {
        @Override
        public OpenPlaces.Use again() {
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
    private synchronized OpenPlaces.Use use() {
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

    public Workspace workspace() {
        return use().opened().workspace();
    }

    /// Where the server itself finds the files, see [FileTree].
    public Path root() {
        return use().opened().root();
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
            use.ifPresent(OpenPlaces.Use::close);
        } finally {
            release.run();
        }
    }
}
