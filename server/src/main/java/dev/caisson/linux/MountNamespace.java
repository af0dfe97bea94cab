package dev.caisson.linux;

import dev.caisson.linux.calls.Kernel;
import java.lang.foreign.Arena;

/// Mount namespace of a process, held: what is mounted in it is taken apart when this is closed,
/// and not by the last process in it, whose end would have to wait for that.
public final class MountNamespace implements AutoCloseable {
    private static final int O_RDONLY = 0;

    private final Descriptor held;

    private MountNamespace(Descriptor held) {
        this.held = held;
    }

    /// @throws KernelException when the process is gone, or is not to be looked at
    public static MountNamespace of(PidFd process) {
        var path = "/proc/%d/ns/mnt".formatted(process.pid());
        try (var arena = Arena.ofConfined()) {
            var held = new Descriptor(new Kernel(arena).open(path, O_RDONLY));
            // The number means another process only when this one is gone.
            if (process.hasExited()) {
                held.close();
                throw new KernelException("open", Errno.ESRCH.number(), path);
            }
            return new MountNamespace(held);
        }
    }

    @Override
    public void close() {
        held.close();
    }
}
