package dev.caisson.storage;

import dev.caisson.linux.KernelException;
import dev.caisson.linux.UntrustedDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// One walk through a hostile tree, within bounds. A directory's own files come before those of the
/// directories in it, so that a bound cuts what is deep. What disappears on the way, or cannot be
/// entered, is left out.
final class Walk {
    /// Sees everything but what lies below a bound.
    @FunctionalInterface
    interface Visitor {
        /// @param directory it is in
        /// @throws IOException ends the walk
        void found(UntrustedDirectory directory, Found entry) throws IOException;
    }

    private final Bounds bounds;
    private final boolean recursive;
    private final Visitor visitor;
    private boolean complete = true;
    private long seen;

    Walk(Bounds bounds, boolean recursive, Visitor visitor) {
        this.bounds = bounds;
        this.recursive = recursive;
        this.visitor = visitor;
    }

    /// @param path of the directory, from the root
    /// @return whether everything was seen
    boolean through(UntrustedDirectory directory, FilePath path) throws IOException {
        enter(directory, path, 1);
        return complete;
    }

    private void enter(UntrustedDirectory directory, FilePath path, int depth) throws IOException {
        for (var name : look(directory, path)) {
            if (depth >= bounds.depth()) {
                complete = false;
                return;
            }
            try (var inner = directory.enter(name)) {
                enter(inner, path.child(name), depth + 1);
            } catch (KernelException e) {
                complete = false;
            }
        }
    }

    /// Shows what is in a directory.
    ///
    /// @return the directories in it that are to be entered
    private List<byte[]> look(UntrustedDirectory directory, FilePath path) throws IOException {
        var directories = new ArrayList<byte[]>();
        var all =
                directory.names(name -> {
                    if (++seen > bounds.entries()) {
                        return false;
                    }
                    if (show(directory, path, name) && recursive) {
                        directories.add(name);
                    }
                    return true;
                });
        complete &= all;
        return directories;
    }

    private boolean show(UntrustedDirectory directory, FilePath path, byte[] name)
            throws IOException {
        if (path.text().length() + name.length >= FilePath.BYTES_MAX) {
            complete = false;
            return false;
        }
        try {
            var node = directory.look(name);
            visitor.found(directory, new Found(path.child(name), name, node));
            return node.isDirectory();
        } catch (KernelException e) {
            complete = false;
            return false;
        }
    }
}
