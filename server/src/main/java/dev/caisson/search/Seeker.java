package dev.caisson.search;

import dev.caisson.linux.DirectoryNames;
import dev.caisson.linux.KernelException;
import dev.caisson.linux.RegularFiles;
import dev.caisson.linux.UntrustedDirectory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;

/// Walk through a hostile tree for the files a caller wants, by several strands at once. No link is
/// followed, and what disappears on the way is left out. Names that begin with a dot are left out
/// unless they are wanted, and so is what `.gitignore` and `.ignore` of any level name. Paths are
/// bytes, from the root.
public final class Seeker {
    /// Directories that wait for their turn; more are left out.
    private static final int WAITING_MAX = 200_000;

    private static final int PATH_BYTES_MAX = 4_095;
    private static final byte[] GIT_DIRECTORY = ".git".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HERE = {};

    /// What is wanted.
    ///
    /// @param start a directory or a file; empty for the root
    /// @param hidden also names that begin with a dot
    /// @param noIgnore also what is to be left out by files that say so
    /// @param filter by paths from the start
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    public record Wish(byte[] start, boolean hidden, boolean noIgnore, PathFilter filter) {}

    /// Visitor of the files of one strand.
    public interface Visitor extends AutoCloseable {
        /// Begins with a file.
        ///
        /// @param path from the root
        /// @throws KernelException when it is gone, or no regular file
        void begin(UntrustedDirectory directory, byte[] path, byte[] name);

        /// Does a short step with the file that was begun.
        ///
        /// @return whether there is another one
        /// @throws KernelException when it cannot be read
        boolean next();

        @Override
        void close();
    }

    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Waiting(byte[] path, IgnoreRules rules) {}

    private final UntrustedDirectory root;
    private final Wish wish;
    private final SeekBounds bounds;
    private final long deadline;
    private final int filteredFrom;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private int working;
    private long names;
    private boolean complete = true;
    private boolean outOfTime;
    private Optional<byte[]> onlyFile = Optional.empty();

    /// @param root is not closed with this
    /// @throws KernelException when there is nothing at the start
    public Seeker(UntrustedDirectory root, Wish wish, SeekBounds bounds) {
        this.root = root;
        this.wish = wish;
        this.bounds = bounds;
        deadline = System.nanoTime() + bounds.time().toNanos();
        if (root.look(wish.start()).isDirectory()) {
            filteredFrom = NamePoints.of(asPrefix(wish.start())).length;
            waiting.push(new Waiting(wish.start(), rulesAbove()));
        } else {
            filteredFrom = 0;
            onlyFile = Optional.of(wish.start());
        }
    }

    private static byte[] asPrefix(byte[] path) {
        return path.length == 0 ? path : joined(path, new byte[0]);
    }

    private static byte[] joined(byte[] path, byte[] name) {
        if (path.length == 0) {
            return name;
        }
        var all = Arrays.copyOf(path, path.length + 1 + name.length);
        all[path.length] = '/';
        System.arraycopy(name, 0, all, path.length + 1, name.length);
        return all;
    }

    /// The rules of the directories that lead to the start.
    private IgnoreRules rulesAbove() {
        var rules = IgnoreRules.NONE;
        if (wish.noIgnore() || wish.start().length == 0) {
            return rules;
        }
        try (var files = new RegularFiles()) {
            for (int at = 0; at < wish.start().length; at++) {
                if (at == 0 || wish.start()[at] == '/') {
                    var path = Arrays.copyOf(wish.start(), at);
                    try (var directory = root.enter(path)) {
                        rules = rules(rules, directory, path, files);
                    } catch (KernelException gone) {
                        return rules;
                    }
                }
            }
        }
        return rules;
    }

    private static IgnoreRules rules(
            IgnoreRules above, UntrustedDirectory directory, byte[] path, RegularFiles files) {
        return above.below(
                NamePoints.of(asPrefix(path)).length,
                text(directory, IgnoreRules.GIT, files),
                text(directory, IgnoreRules.PLAIN, files));
    }

    private static byte[] text(UntrustedDirectory directory, byte[] name, RegularFiles files) {
        try {
            var node = files.open(directory, name);
            var text = new byte[(int) Math.min(node.size(), IgnoreRules.BYTES_MAX)];
            int filled = 0;
            for (int read = 1; read > 0 && filled < text.length; ) {
                read = files.read(text, filled);
                filled += read;
            }
            return Arrays.copyOf(text, filled);
        } catch (KernelException none) {
            return new byte[0];
        } finally {
            files.closeFile();
        }
    }

    /// Whether everything was seen that is wanted.
    public synchronized boolean complete() {
        return complete;
    }

    public synchronized boolean outOfTime() {
        return outOfTime;
    }

    /// Whether there is nothing more to do, also for the other strands.
    public synchronized boolean isDone() {
        return working == 0 && waiting.isEmpty() && onlyFile.isEmpty();
    }

    /// Waits until there may be something to do.
    ///
    /// @return whether there is anything left
    public synchronized boolean await() throws InterruptedException {
        while (waiting.isEmpty() && onlyFile.isEmpty() && working > 0) {
            wait();
        }
        return !isDone();
    }

    private synchronized Optional<Waiting> take() {
        if (waiting.isEmpty()) {
            return Optional.empty();
        }
        working++;
        return Optional.of(waiting.pop());
    }

    private synchronized void leave() {
        working--;
        notifyAll();
    }

    private synchronized Optional<byte[]> takeOnlyFile() {
        var taken = onlyFile;
        onlyFile = Optional.empty();
        working += taken.isPresent() ? 1 : 0;
        return taken;
    }

    private synchronized void add(Waiting directory) {
        if (waiting.size() >= WAITING_MAX || directory.path().length > PATH_BYTES_MAX) {
            complete = false;
            return;
        }
        waiting.push(directory);
        notifyAll();
    }

    /// @return whether there is time, and the names are not too many
    private synchronized boolean goesOn(long more) {
        names += more;
        outOfTime |= System.nanoTime() - deadline > 0;
        if (outOfTime || names > bounds.names()) {
            complete = false;
            waiting.clear();
            return false;
        }
        return true;
    }

    /// A strand of the walk, which belongs to one thread at a time.
    ///
    /// @param visitor is closed with it
    public Strand strand(Visitor visitor) {
        return new Strand(visitor);
    }

    /// Part of the walk, step by step.
    public final class Strand implements AutoCloseable {
        private final Visitor visitor;
        private final RegularFiles files = new RegularFiles();
        private Optional<Level> level = Optional.empty();
        private boolean visiting;
        private boolean onlyOne;

        private Strand(Visitor visitor) {
            this.visitor = visitor;
        }

        /// Does a short step.
        ///
        /// @return false when there is nothing to do now, see [Seeker#await]
        public boolean next() {
            if (visiting) {
                visit();
                return true;
            }
            if (onlyOne) {
                onlyOne = false;
                leave();
                return true;
            }
            if (level.isEmpty()) {
                return begin();
            }
            var now = level.get();
            try {
                if (now.some.hasNext()) {
                    meet(now, now.some.next());
                } else if (!now.read()) {
                    end();
                }
            } catch (KernelException gone) {
                incomplete();
                end();
            }
            return true;
        }

        private void visit() {
            try {
                visiting = goesOn(0) && visitor.next();
            } catch (KernelException gone) {
                visiting = false;
            }
        }

        private boolean begin() {
            var file = takeOnlyFile();
            if (file.isPresent()) {
                onlyOne = true;
                begin(root, file.get(), file.get());
                return true;
            }
            var taken = take();
            if (taken.isEmpty()) {
                return false;
            }
            try {
                level = Optional.of(new Level(taken.get(), files));
            } catch (KernelException gone) {
                incomplete();
                leave();
            }
            return true;
        }

        private void end() {
            level.ifPresent(Level::close);
            level = Optional.empty();
            leave();
        }

        private void meet(Level now, DirectoryNames.Name found) {
            var name = found.name();
            boolean hidden = name[0] == '.' && !wish.hidden();
            if (hidden || (!wish.noIgnore() && Arrays.equals(name, GIT_DIRECTORY))) {
                return;
            }
            var path = joined(now.path, name);
            var points = NamePoints.of(path);
            int begin = now.points;
            if (found.mayBeDirectory()) {
                boolean directory = !found.mayBeFile() || now.directory.look(name).isDirectory();
                if (directory) {
                    if (!now.rules.leavesOut(points, begin, true)
                            && wish.filter().enters(points, filteredFrom)) {
                        add(new Waiting(path, now.rules));
                    }
                    return;
                }
            }
            if (found.mayBeFile()
                    && wish.filter().takes(points, filteredFrom)
                    && !now.rules.leavesOut(points, begin, false)) {
                begin(now.directory, path, name);
            }
        }

        private void begin(UntrustedDirectory directory, byte[] path, byte[] name) {
            try {
                visitor.begin(directory, path, name);
                visiting = true;
            } catch (KernelException gone) {
                visiting = false;
            }
        }

        @Override
        public void close() {
            if (level.isPresent()) {
                end();
            }
            if (onlyOne) {
                leave();
            }
            files.close();
            visitor.close();
        }
    }

    private synchronized void incomplete() {
        complete = false;
    }

    /// A directory a strand is in.
    private final class Level implements AutoCloseable {
        private final byte[] path;
        private final int points;
        private final UntrustedDirectory directory;
        private final DirectoryNames list;
        private final IgnoreRules rules;
        private Iterator<DirectoryNames.Name> some = Collections.emptyIterator();

        Level(Waiting taken, RegularFiles files) {
            path = taken.path();
            points = NamePoints.of(asPrefix(path)).length;
            directory = root.enter(path.length == 0 ? HERE : path);
            try {
                rules =
                        wish.noIgnore()
                                ? taken.rules()
                                : rules(taken.rules(), directory, path, files);
                list = directory.names();
            } catch (RuntimeException failed) {
                directory.close();
                throw failed;
            }
        }

        /// @return whether there are more names
        boolean read() {
            var next = list.next();
            some = next.iterator();
            return !next.isEmpty() && goesOn(next.size());
        }

        @Override
        public void close() {
            list.close();
            directory.close();
        }
    }
}
