package dev.caisson.linux;

import dev.caisson.linux.calls.Kernel;
import dev.caisson.linux.mount.DetachedFileSystems;
import java.lang.foreign.Arena;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/// Detached file system in memory: limited in bytes and in files, mounted nowhere in the host's
/// table of mounts, and held by a descriptor. What a program writes to it is charged to the memory
/// limit of the program. It is gone when the descriptor is closed and no sandbox has it any more,
/// also when this process is killed.
public final class MemoryMount implements Mount {
    private static final long PROBE_BYTES = 64 << 10;

    private final int descriptor;
    private final AtomicBoolean open = new AtomicBoolean(true);

    private MemoryMount(int descriptor) {
        this.descriptor = descriptor;
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
        try (var arena = Arena.ofConfined()) {
            return new MemoryMount(DetachedFileSystems.tmpfs(new Kernel(arena), size, "0755"));
        }
    }

    @Override
    public int descriptor() {
        return descriptor;
    }

    /// How full it is, its top directory not counted.
    public DiskUsage room() {
        try (var arena = Arena.ofConfined()) {
            var all = new Kernel(arena).room("/proc/self/fd/" + descriptor);
            return new DiskUsage(
                    all.bytesUsed(),
                    all.bytesMax(),
                    all.filesUsed() - 1,
                    OptionalLong.of(all.filesMax().orElseThrow() - 1));
        }
    }

    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            try (var arena = Arena.ofConfined()) {
                new Kernel(arena).close(descriptor);
            }
        }
    }
}
