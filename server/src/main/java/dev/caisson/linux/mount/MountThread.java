package dev.caisson.linux.mount;

import dev.caisson.linux.KernelException;
import dev.caisson.linux.calls.Kernel;
import dev.caisson.linux.calls.NumberedCalls;
import java.lang.foreign.Arena;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;

/// Mount thread, which can step into another mount namespace and back. It shares neither root nor
/// working directory with the rest of the process, which the kernel asks for.
///
/// While it is away, every path means something else: it makes only calls that were linked and
/// compiled before, on memory that was allocated before. A thread that cannot come back ends.
public final class MountThread {
    /// The size of what openat2 is told.
    public static final int HOW_BYTES = 24;

    private static final int WARM_UP_ROUNDS = 2_000;

    private record Job<T>(Function<MountThread, T> work, CompletableFuture<T> result) {
        void runOn(MountThread thread) {
            try {
                result.complete(work.apply(thread));
            } catch (RuntimeException failed) {
                result.completeExceptionally(failed);
            }
        }
    }

    private final BlockingQueue<Job<?>> jobs = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private final Thread thread;
    private volatile boolean usable = true;
    private boolean ended;
    private int home = -1;

    private MountThread() {
        thread = Thread.ofPlatform().name("mounts").daemon().unstarted(this::work);
    }

    /// @throws KernelException when this host does not let a thread do so
    public static MountThread start() {
        var made = new MountThread();
        made.thread.start();
        join(made.started);
        return made;
    }

    public boolean usable() {
        return usable;
    }

    /// Runs something on the thread and waits for it, even when interrupted: it takes about a
    /// millisecond at most, and half of it is worse than all of it.
    public <T> T run(Function<MountThread, T> work) {
        var job = new Job<>(work, new CompletableFuture<T>());
        accept(job);
        return join(job.result);
    }

    private synchronized void accept(Job<?> job) {
        if (ended) {
            throw new IllegalStateException("the mount thread ended");
        }
        jobs.add(job);
    }

    /// What was accepted is answered, also when the thread cannot do it any more.
    private synchronized void refuseTheRest() {
        ended = true;
        var reason = new IllegalStateException("the mount thread ended");
        jobs.forEach(job -> job.result.completeExceptionally(reason));
    }

    public void end() {
        usable = false;
        thread.interrupt();
    }

    private static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof KernelException kernel) {
                throw kernel;
            }
            throw failed;
        }
    }

    private void work() {
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            try {
                prepare(kernel);
                started.complete(null);
            } catch (RuntimeException failed) {
                usable = false;
                started.completeExceptionally(failed);
                return;
            }
            serve();
            kernel.closeNow(home);
        }
    }

    private void prepare(Kernel kernel) {
        home = kernel.open("/proc/thread-self/ns/mnt", Kernel.O_RDONLY);
        Kernel.check("unshare", kernel.unshareNow(Kernel.CLONE_FS), "file system information");
        var nothing = kernel.string("");
        for (int round = 0; round < WARM_UP_ROUNDS; round++) {
            Kernel.check("setns", kernel.setnsNow(home, Kernel.CLONE_NEWNS), "own namespace");
            moveMount(kernel, -1, nothing.address(), nothing.address());
            pick(kernel, nothing.address());
            openBelow(kernel, -1, nothing.address(), nothing.address());
            cloneOf(kernel, -1, nothing.address());
        }
    }

    private void serve() {
        try {
            while (usable) {
                jobs.take().runOn(this);
            }
        } catch (InterruptedException ended) {
            usable = false;
        }
        refuseTheRest();
    }

    /// Puts detached mounts in their places inside a sandbox, one after the other until one fails.
    /// Runs on the thread itself.
    ///
    /// @param sandbox the descriptor of a process in it
    /// @param targets the addresses of the paths inside
    public void place(Kernel kernel, int sandbox, int[] trees, long[] targets) {
        long nothing = kernel.string("").address();
        int entered = enter(kernel, sandbox);
        long moved = 0;
        int back = 0;
        if (entered >= 0) {
            for (int i = 0; i < trees.length && moved >= 0; i++) {
                moved = moveMount(kernel, trees[i], nothing, targets[i]);
            }
            back = kernel.setnsNow(home, Kernel.CLONE_NEWNS);
        }
        checkReturned(entered, back);
        Kernel.check("move_mount", moved, "the sandbox");
    }

    /// Opens a file system that is mounted inside a sandbox, to change its options. Runs on the
    /// thread itself.
    ///
    /// @param sandbox the descriptor of a process in it
    /// @param target the address of the path inside
    /// @return a descriptor, to be closed
    public int open(Kernel kernel, int sandbox, long target) {
        int entered = enter(kernel, sandbox);
        long picked = 0;
        int back = 0;
        if (entered >= 0) {
            picked = pick(kernel, target);
            back = kernel.setnsNow(home, Kernel.CLONE_NEWNS);
        }
        checkReturned(entered, back);
        return Kernel.check("fspick", picked, "the sandbox");
    }

    /// Whoever is started by this thread shares its root and working directory from then on, and a
    /// virtual thread that is woken from here may take another carrier: then the kernel would not
    /// let this one step over any more. What is shared with nobody is not parted again.
    private static int enter(Kernel kernel, int sandbox) {
        int parted = kernel.unshareNow(Kernel.CLONE_FS);
        return parted < 0 ? parted : kernel.setnsNow(sandbox, Kernel.CLONE_NEWNS);
    }

    private void checkReturned(int entered, int back) {
        usable = back >= 0;
        Kernel.check("setns", entered, "the sandbox");
        Kernel.check("setns", back, "own namespace");
    }

    private static long pick(Kernel kernel, long target) {
        return kernel.syscallNow(
                NumberedCalls.FSPICK,
                Kernel.AT_FDCWD,
                target,
                1 | 2 /* close on exec, no links */,
                0,
                0);
    }

    /// What is narrowed, in addresses of memory.
    ///
    /// @param target the path of the place inside
    /// @param path of the directory below it
    /// @param wayToPlace how the place is found
    /// @param wayBelow how the directory is found
    public record Narrowing(long target, long path, long wayToPlace, long wayBelow) {}

    /// Puts a directory of what is at a place over all of it. Runs on the thread itself.
    ///
    /// @param sandbox the descriptor of a process in it
    public void narrow(Kernel kernel, int sandbox, Narrowing at) {
        long nothing = kernel.string("").address();
        int entered = enter(kernel, sandbox);
        long whole = -1;
        long part = -1;
        long tree = -1;
        long moved = -1;
        int back = 0;
        if (entered >= 0) {
            whole = openBelow(kernel, Kernel.AT_FDCWD, at.target(), at.wayToPlace());
            part = whole < 0 ? whole : openBelow(kernel, whole, at.path(), at.wayBelow());
            tree = part < 0 ? part : cloneOf(kernel, part, nothing);
            moved = tree < 0 ? tree : moveMount(kernel, (int) tree, nothing, at.target());
            back = kernel.setnsNow(home, Kernel.CLONE_NEWNS);
        }
        usable = back >= 0;
        for (long opened : new long[] {whole, part, tree}) {
            if (opened >= 0) {
                kernel.closeNow((int) opened);
            }
        }
        Kernel.check("setns", entered, "the sandbox");
        Kernel.check("setns", back, "own namespace");
        Kernel.check("narrow", moved, "a directory in the sandbox");
    }

    private static long openBelow(Kernel kernel, long directory, long path, long how) {
        return kernel.syscallNow(NumberedCalls.OPENAT2, directory, path, how, HOW_BYTES, 0);
    }

    private static long cloneOf(Kernel kernel, long directory, long nothing) {
        long flags = 1 /* clone */ | Kernel.O_CLOEXEC | Kernel.AT_EMPTY_PATH;
        return kernel.syscallNow(NumberedCalls.OPEN_TREE, directory, nothing, flags, 0, 0);
    }

    private static long moveMount(Kernel kernel, int tree, long nothing, long target) {
        return kernel.syscallNow(
                NumberedCalls.MOVE_MOUNT,
                tree,
                nothing,
                Kernel.AT_FDCWD,
                target,
                4 /* empty path */);
    }
}
