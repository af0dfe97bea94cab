package dev.caisson.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.caisson.linux.calls.Kernel;
import dev.caisson.linux.calls.NumberedCalls;
import dev.caisson.linux.calls.PathCalls;
import dev.caisson.linux.mount.DetachedFileSystems;
import dev.caisson.linux.mount.MountThread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/// Mount tool: attaches file systems to sandboxes that run already, as if they had been there from
/// the start. Nothing is spawned, the host's own table of mounts does not change, and what is
/// attached goes away with the sandbox.
///
/// What is attached has the flags it is attached with and no others, and is private: no mount made
/// on either side travels to the other, not even on a host whose root is shared.
public final class MountTool implements AutoCloseable {
    private static final int OPEN_TREE_CLONE = 1;
    private static final int ATTR_BYTES = 32;
    private static final long IDMAP = 0x100000;
    private static final long MS_PRIVATE = 1L << 18;
    private static final long NO_OTHER_MOUNT = 0x1;
    private static final long NO_LINKS = 0x2 | 0x4;
    private static final long BENEATH = 0x8;

    private final Object lock = new Object();
    private MountThread thread;
    private boolean closed;

    /// @throws KernelException when this host does not allow it, see [#missing()]
    public MountTool() {
        thread = MountThread.start();
    }

    /// What this host lacks to attach file systems late, and what to do about it.
    public static Optional<String> missing() {
        try (var tool = new MountTool()) {
            return tool.missingCalls();
        } catch (KernelException refused) {
            return Optional.of(
                    "A workspace cannot be attached to a running sandbox: %s. Run the server as root on Linux 5.12 or newer."
                            .formatted(refused.getMessage()));
        }
    }

    private Optional<String> missingCalls() {
        thread().run(thread -> {
            try (var arena = Arena.ofConfined()) {
                var kernel = new Kernel(arena);
                kernel.close(prepared(kernel, cloneOf(kernel, "/"), Attachment.at("/", Set.of())));
                return true;
            }
        });
        return Optional.empty();
    }

    /// Makes sure that a file system which is mounted nowhere can be copied, and so attached.
    ///
    /// @throws KernelException when it cannot
    static void requireCopies(Mount source, Attachment as) {
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            kernel.close(prepared(kernel, cloneOf(kernel, source), as));
        }
    }

    /// Attaches a directory of the host, without what is mounted below it.
    public void attach(PidFd sandbox, Path directory, Attachment as) {
        attach(sandbox, as, kernel -> cloneOf(kernel, directory.toString()));
    }

    /// Attaches a file system. It can be attached to several sandboxes, one after the other or at
    /// once.
    public void attach(PidFd sandbox, Mount source, Attachment as) {
        attach(sandbox, as, kernel -> cloneOf(kernel, source));
    }

    /// Attaches a directory of what is attached at a place over all of it, with the same owners and
    /// flags. What is below is out of reach for everybody who cannot unmount.
    ///
    /// @param target the place
    /// @param path of the directory, below it; no link is followed, and no way leads out
    /// @throws KernelException when there is no such directory
    public void narrow(PidFd sandbox, String target, byte[] path) {
        thread().run(thread -> {
            try (var arena = Arena.ofConfined()) {
                var kernel = new Kernel(arena);
                var name = kernel.struct(path.length + 1L);
                MemorySegment.copy(path, 0, name, JAVA_BYTE, 0, path.length);
                var narrowing =
                        new MountThread.Narrowing(
                                kernel.string(target).address(),
                                name.address(),
                                way(kernel, NO_LINKS),
                                way(kernel, NO_LINKS | BENEATH | NO_OTHER_MOUNT));
                return sandbox.whileOpen(descriptor -> {
                    thread.narrow(kernel, descriptor, narrowing);
                    return true;
                });
            }
        });
    }

    /// How a directory is found, for openat2.
    private static long way(Kernel kernel, long resolve) {
        var how = kernel.struct(MountThread.HOW_BYTES);
        how.set(JAVA_LONG, 0, PathCalls.O_PATH | PathCalls.O_DIRECTORY | Kernel.O_CLOEXEC);
        how.set(JAVA_LONG, 16, resolve);
        return how.address();
    }

    /// Attaches a new, empty file system in memory.
    public void attachTmpfs(PidFd sandbox, TmpfsSize size, Attachment as) {
        attach(sandbox, as, kernel -> DetachedFileSystems.tmpfs(kernel, size));
    }

    /// Attaches empty directories for others to be attached to.
    ///
    /// @param names of the directories, each a single one
    public void attachDirectories(PidFd sandbox, List<String> names, Attachment as) {
        attach(sandbox, as, kernel -> DetachedFileSystems.directories(kernel, names));
    }

    /// Covers files and directories inside with some of the host, all in one go.
    ///
    /// @param sources by what they cover
    public void cover(PidFd sandbox, Map<String, Path> sources, Set<MountFlag> flags) {
        thread().run(thread -> {
            try (var arena = Arena.ofConfined()) {
                coverOn(thread, new Kernel(arena), sandbox, sources, flags);
                return true;
            }
        });
    }

    /// Limits how many pseudo-terminals there are at once in a sandbox. The kernel counts those of
    /// all for the whole machine.
    ///
    /// @param target where the file system of pseudo-terminals is mounted inside
    public void limitTerminals(PidFd sandbox, String target, int most) {
        thread().run(thread -> {
            try (var arena = Arena.ofConfined()) {
                var kernel = new Kernel(arena);
                long path = kernel.string(target).address();
                int context =
                        sandbox.whileOpen(descriptor -> thread.open(kernel, descriptor, path));
                try {
                    DetachedFileSystems.limitTerminals(kernel, context, most);
                } finally {
                    kernel.closeNow(context);
                }
                return true;
            }
        });
    }

    private static void coverOn(
            MountThread thread,
            Kernel kernel,
            PidFd sandbox,
            Map<String, Path> sources,
            Set<MountFlag> flags) {
        var covers = List.copyOf(sources.entrySet());
        var trees = new int[covers.size()];
        var targets = new long[covers.size()];
        int made = 0;
        try {
            for (var cover : covers) {
                var as = Attachment.at(cover.getKey(), flags);
                targets[made] = kernel.string(as.target()).address();
                trees[made] = prepared(kernel, cloneOf(kernel, cover.getValue().toString()), as);
                made++;
            }
            sandbox.whileOpen(descriptor -> {
                thread.place(kernel, descriptor, trees, targets);
                return true;
            });
        } finally {
            for (int i = 0; i < made; i++) {
                kernel.closeNow(trees[i]);
            }
        }
    }

    private void attach(PidFd sandbox, Attachment as, ToIntFunction<Kernel> source) {
        thread().run(thread -> {
            try (var arena = Arena.ofConfined()) {
                var kernel = new Kernel(arena);
                attachOn(thread, kernel, sandbox, as, source);
                return true;
            }
        });
    }

    private static void attachOn(
            MountThread thread,
            Kernel kernel,
            PidFd sandbox,
            Attachment as,
            ToIntFunction<Kernel> source) {
        int tree = prepared(kernel, source.applyAsInt(kernel), as);
        try {
            long target = kernel.string(as.target()).address();
            sandbox.whileOpen(descriptor -> {
                thread.place(kernel, descriptor, new int[] {tree}, new long[] {target});
                return true;
            });
        } finally {
            kernel.closeNow(tree);
        }
    }

    /// Sets a tree's attributes; the tree is closed when that fails.
    private static int prepared(Kernel kernel, int tree, Attachment as) {
        var attributes = kernel.struct(ATTR_BYTES);
        long flags = as.flags().stream().mapToLong(MountFlag::bit).reduce(0, (a, b) -> a | b);
        long mapping = as.idMap().isPresent() ? IDMAP : 0;
        attributes.set(JAVA_LONG, 0, mapping | flags);
        attributes.set(JAVA_LONG, 16, MS_PRIVATE);
        attributes.set(JAVA_LONG, 24, as.idMap().map(IdMap::descriptor).orElse(0));
        long set =
                kernel.syscallNow(
                        NumberedCalls.MOUNT_SETATTR,
                        tree,
                        kernel.string("").address(),
                        Kernel.AT_EMPTY_PATH,
                        attributes.address(),
                        ATTR_BYTES);
        if (set < 0) {
            kernel.closeNow(tree);
        }
        Kernel.check("mount_setattr", set, as.target());
        return tree;
    }

    private static int cloneOf(Kernel kernel, String directory) {
        long path = kernel.string(directory).address();
        long tree =
                kernel.syscallNow(
                        NumberedCalls.OPEN_TREE,
                        Kernel.AT_FDCWD,
                        path,
                        OPEN_TREE_CLONE | Kernel.O_CLOEXEC,
                        0,
                        0);
        return Kernel.check("open_tree", tree, directory);
    }

    /// Kernels before 6.15 do not copy what is mounted nowhere.
    private static int cloneOf(Kernel kernel, Mount source) {
        long tree =
                kernel.syscallNow(
                        NumberedCalls.OPEN_TREE,
                        source.descriptor(),
                        kernel.string("").address(),
                        OPEN_TREE_CLONE | Kernel.O_CLOEXEC | Kernel.AT_EMPTY_PATH,
                        0,
                        0);
        if (tree == -Errno.EINVAL.number() && source instanceof LoopImages.LoopMount image) {
            return image.again(kernel);
        }
        return Kernel.check("open_tree", tree, "a detached file system");
    }

    /// The thread in use; one that could not come back is replaced.
    MountThread thread() {
        synchronized (lock) {
            if (closed) {
                throw new IllegalStateException("the mount tool is closed");
            }
            if (!thread.usable()) {
                thread = MountThread.start();
            }
            return thread;
        }
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            thread.end();
        }
    }
}
