package dev.caisson.storage.tree;

import dev.caisson.linux.KernelException;
import dev.caisson.linux.UntrustedDirectory;
import dev.caisson.storage.FilePage;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.StoredFile;
import dev.caisson.storage.WalkBounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// Walk that finds one page of a list of files, in the order of their paths, step by step.
///
/// The names are read first, and only what is on the page is looked at. A directory whose files all
/// come before the page, or behind a full one, is not entered.
public final class PageWalk implements Walk.Visitor, AutoCloseable {
    private final FilePath from;
    private final boolean recursive;
    private final int limit;
    private final UntrustedDirectory root;
    private final Walk walk;
    private final TreeSet<FilePath> paths = new TreeSet<>();
    private final List<StoredFile> files = new ArrayList<>();
    private Optional<Iterator<FilePath>> looking = Optional.empty();
    private Optional<String> next = Optional.empty();
    private boolean seenAll = true;

    /// @param root stays open
    /// @param after the last path of the page before
    public PageWalk(
            UntrustedDirectory root,
            FilePath directory,
            boolean recursive,
            FilePath after,
            int limit,
            WalkBounds bounds) {
        this.root = root;
        this.from = after;
        this.recursive = recursive;
        this.limit = limit;
        this.walk = new Walk(root.enter(directory.bytes()), directory, bounds, this);
    }

    @Override
    public boolean met(Walk.Met entry) {
        if (entry.path().compareTo(from) > 0) {
            paths.add(entry.path());
            if (paths.size() > limit + 1) {
                paths.pollLast();
            }
        }
        return recursive && entry.mayBeDirectory() && enters(entry.path());
    }

    @Override
    public boolean enters(FilePath directory) {
        var prefix = directory.text() + "/";
        var isBefore = from.text().compareTo(prefix) > 0 && !from.text().startsWith(prefix);
        var isBehind = paths.size() > limit && prefix.compareTo(paths.last().text()) > 0;
        return !isBefore && !isBehind;
    }

    /// @return whether there is more to do
    public boolean next() throws IOException {
        if (looking.isEmpty()) {
            if (!walk.next()) {
                cut();
                looking = Optional.of(paths.iterator());
            }
            return true;
        }
        var left = looking.get();
        if (left.hasNext()) {
            look(left.next());
        }
        return left.hasNext();
    }

    private void cut() {
        if (paths.size() > limit) {
            paths.pollLast();
            next = Optional.of(paths.last().text());
        }
    }

    private void look(FilePath path) {
        try {
            files.add(StoredFile.of(path, root.look(path.bytes())));
        } catch (KernelException gone) {
            seenAll = false;
        }
    }

    public FilePage page() {
        return new FilePage(files, next, seenAll && walk.complete());
    }

    @Override
    public void close() {
        walk.close();
    }
}
