package dev.caisson.storage;

import dev.caisson.sandbox.Workspace;
import java.nio.file.Path;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/// The right to run something in a workspace until it is closed, held by nobody else at the same
/// time.
public final class Lease implements AutoCloseable {
    private final OpenPlaces.Use use;
    private final WorkspaceMaker.Opened opened;
    private final boolean fresh;
    private final Runnable release;

    /// @param release what follows once the workspace is closed
    Lease(OpenPlaces.Use use, boolean fresh, Runnable release) {
        this.use = use;
        this.opened = use.opened();
        this.fresh = fresh;
        this.release = release;
    }

    /// Of a workspace that nobody else can ever have.
    static Lease temporary(WorkspaceMaker.Opened opened) {
        return new Lease(new OnlyUse(opened, new ReentrantLock()), true, () -> {});
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

    public Workspace workspace() {
        return opened.workspace();
    }

    /// Where the server itself finds the files, see [FileTree].
    public Path root() {
        return opened.root();
    }

    /// Whether the workspace was made for this lease, and is empty therefore.
    public boolean fresh() {
        return fresh;
    }

    /// Keeps the workspace open when this lease is closed, without the right to run anything: what
    /// is left running in it goes on, and the next one who has the lease shares it.
    public Keep keep() {
        return use.again()::close;
    }

    /// A workspace that stays open until this is closed.
    public interface Keep extends AutoCloseable {
        @Override
        void close();
    }

    @Override
    public void close() {
        try {
            use.close();
        } finally {
            release.run();
        }
    }
}
