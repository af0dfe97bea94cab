package dev.caisson.linux;

import dev.caisson.linux.calls.Kernel;
import dev.caisson.linux.calls.PathCalls;
import dev.caisson.linux.mount.DetachedFileSystems;
import java.lang.foreign.Arena;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Detached file system in memory: limited in bytes and in files, mounted nowhere in the host's
/// table of mounts, and held by a descriptor. What a program writes to it is charged to the memory
/// limit of the program. It is gone when the descriptor is closed and no sandbox has it any more,
/// also when this process is killed.
///
/// One that is planned is made when it is first needed, or takes over what a sandbox has already.
public final class MemoryMount implements Mount {
    private static final long PROBE_BYTES = 64 << 10;
    private static final int NONE = -1;

    private final TmpfsSize size;
    private int descriptor = NONE;

    /// Of its root, once it is attached to the only sandbox that will have it.
    private boolean isRoot;

    private boolean closed;

    private MemoryMount(TmpfsSize size) {
        this.size = size;
    }

    /// Why none can be attached to a sandbox here, and what to do about it.
    public static Optional<String> missing() {
        try (var made = make(new TmpfsSize(PROBE_BYTES, 2, 0))) {
            MountTool.requireCopies(made, Attachment.at("/", Set.of()));
            return Optional.empty();
        } catch (KernelException refused) {
            return Optional.of(
                    "A workspace in memory cannot be attached to a sandbox: %s. Run the server as root on Linux 6.15 or newer."
                            .formatted(refused.getMessage()));
        }
    }

    /// A new one, whose top directory its owner alone may write to.
    public static MemoryMount make(TmpfsSize size) {
        var made = planned(size);
        made.descriptor();
        return made;
    }

    /// One that is made when it is first needed.
    public static MemoryMount planned(TmpfsSize size) {
        return new MemoryMount(size);
    }

    public TmpfsSize size() {
        return size;
    }

    /// What was taken over is attached already. Whoever wants to attach it again gets another, as
    /// empty as that was: nothing has run in a sandbox that is left for another.
    @Override
    public synchronized int descriptor() {
        if (closed) {
            throw new IllegalStateException("a file system in memory is closed");
        }
        if (isRoot) {
            closeDescriptor();
        }
        if (descriptor == NONE) {
            try (var arena = Arena.ofConfined()) {
                descriptor = DetachedFileSystems.tmpfs(new Kernel(arena), size, "0755");
            }
        }
        return descriptor;
    }

    /// Its root, in this process.
    public synchronized int root() {
        return isRoot ? descriptor : descriptor();
    }

    /// It is attached, and to nobody else: from now on it is held by its root. To close that waits
    /// for nothing, where a mount is taken apart.
    public synchronized void keepRoot() {
        int mount = descriptor();
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            descriptor =
                    kernel.open("/proc/self/fd/" + mount, Kernel.O_RDONLY | PathCalls.O_DIRECTORY);
            isRoot = true;
            kernel.closeNow(mount);
        }
    }

    /// Takes over one that is attached and holds nothing, if it is as large as this one is to be.
    /// The other is closed then.
    ///
    /// @return whether it did
    public synchronized boolean takeOver(MemoryMount attached) {
        if (closed || !attached.size.equals(size)) {
            return false;
        }
        int root = attached.giveRoot();
        if (root != NONE) {
            closeDescriptor();
            descriptor = root;
            isRoot = true;
        }
        return root != NONE;
    }

    private synchronized int giveRoot() {
        int root = isRoot ? descriptor : NONE;
        if (isRoot) {
            descriptor = NONE;
            isRoot = false;
            closed = true;
        }
        return root;
    }

    private void closeDescriptor() {
        if (descriptor != NONE) {
            try (var arena = Arena.ofConfined()) {
                new Kernel(arena).close(descriptor);
            }
        }
        descriptor = NONE;
        isRoot = false;
    }

    /// How full it is, its top directory not counted.
    public DiskUsage room() {
        try (var arena = Arena.ofConfined()) {
            var all = new Kernel(arena).room("/proc/self/fd/" + root());
            return new DiskUsage(
                    all.bytesUsed(),
                    all.bytesMax(),
                    all.filesUsed() - 1,
                    OptionalLong.of(all.filesMax().orElseThrow() - 1));
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        closeDescriptor();
    }
}
