package dev.caisson.storage.tree;

import dev.caisson.linux.DirectoryNames;
import dev.caisson.linux.Errno;
import dev.caisson.linux.KernelException;
import dev.caisson.linux.UntrustedDirectory;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.WalkBounds;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/// One walk through a hostile tree, within bounds, step by step: whoever walks can pause after each
/// of them. A directory's own files come before those of the directories in it, so that a bound
/// cuts what is deep; those are entered in the order of their names. What disappears on the way, or
/// cannot be entered, is left out.
public final class Walk implements AutoCloseable {
    /// Sees everything but what lies below a bound.
    @FunctionalInterface
    public interface Visitor {
        /// @return whether to enter it, should it be a directory
        /// @throws IOException ends the walk
        /// @throws KernelException when it has disappeared
        boolean met(Met entry) throws IOException;

        /// Asked again when the turn of a directory has come.
        default boolean enters(FilePath directory) {
            return true;
        }
    }

    /// A name in a directory; nobody has looked at what it stands for.
    ///
    /// @param directory it is in
    /// @param mayBeDirectory false when it is none for sure
    @SuppressWarnings("ArrayRecordComponent")
    public // Passed on within one walk, never compared.
    record Met(UntrustedDirectory directory, FilePath path, byte[] name, boolean mayBeDirectory) {
        public WalkEntry look() {
            return new WalkEntry(path, name, directory.look(name));
        }
    }

    /// A directory the walk is in.
    private static final class Level implements AutoCloseable {
        private final UntrustedDirectory directory;
        private final FilePath path;
        private final DirectoryNames names;
        private final List<byte[]> directories = new ArrayList<>();
        private Iterator<DirectoryNames.Name> some = Collections.emptyIterator();
        private boolean ended;
        private int entered;

        Level(UntrustedDirectory directory, FilePath path) {
            this.directory = directory;
            this.path = path;
            this.names = directory.names();
        }

        /// @return whether there is a name
        boolean read() {
            if (!ended && !some.hasNext()) {
                some = names.next().iterator();
                if (!some.hasNext()) {
                    end();
                }
            }
            return some.hasNext();
        }

        void end() {
            ended = true;
            some = Collections.emptyIterator();
            directories.sort(Arrays::compareUnsigned);
            names.close();
        }

        @Override
        public void close() {
            names.close();
            directory.close();
        }
    }

    private final WalkBounds bounds;
    private final Visitor visitor;
    private final Deque<Level> levels = new ArrayDeque<>();
    private boolean complete = true;
    private long seen;

    /// @param directory to begin in, which is closed with this
    /// @param path of the directory, from the root
    public Walk(UntrustedDirectory directory, FilePath path, WalkBounds bounds, Visitor visitor) {
        this.bounds = bounds;
        this.visitor = visitor;
        levels.push(new Level(directory, path));
    }

    /// Whether nothing was left out so far.
    public boolean complete() {
        return complete;
    }

    /// Goes all the way at once.
    ///
    /// @return whether everything was seen
    public boolean through() throws IOException {
        while (next()) {
            // Everything is done in there.
        }
        return complete;
    }

    /// Meets one name, or enters or leaves one directory.
    ///
    /// @return false when there is nothing more
    public boolean next() throws IOException {
        var level = levels.peek();
        if (level == null) {
            return false;
        }
        if (level.read()) {
            meet(level, level.some.next());
        } else if (level.entered < level.directories.size()) {
            enter(level, level.directories.get(level.entered++));
        } else {
            levels.pop().close();
        }
        return !levels.isEmpty();
    }

    private void meet(Level level, DirectoryNames.Name name) throws IOException {
        if (++seen > bounds.entries()) {
            complete = false;
            level.end();
            return;
        }
        if (level.path.text().length() + name.name().length >= FilePath.BYTES_MAX) {
            complete = false;
            return;
        }
        var met =
                new Met(
                        level.directory,
                        level.path.child(name.name()),
                        name.name(),
                        name.mayBeDirectory());
        try {
            if (visitor.met(met) && name.mayBeDirectory()) {
                level.directories.add(name.name());
            }
        } catch (KernelException gone) {
            complete = false;
        }
    }

    private void enter(Level level, byte[] name) {
        var path = level.path.child(name);
        if (!visitor.enters(path)) {
            return;
        }
        if (levels.size() >= bounds.depth()) {
            complete = false;
            level.entered = level.directories.size();
            return;
        }
        try {
            push(level.directory.enter(name), path);
        } catch (KernelException e) {
            // Not every file system says what is a directory before it is entered.
            complete &= e.errno() == Errno.ENOTDIR || e.errno() == Errno.ELOOP;
        }
    }

    private void push(UntrustedDirectory entered, FilePath path) {
        try {
            levels.push(new Level(entered, path));
        } catch (KernelException e) {
            entered.close();
            throw e;
        }
    }

    @Override
    public void close() {
        levels.forEach(Level::close);
        levels.clear();
    }
}
