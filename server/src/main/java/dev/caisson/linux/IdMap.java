package dev.caisson.linux;

import dev.caisson.linux.calls.Kernel;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicBoolean;

/// Id map of a mount: makes files that belong to one id on disk appear as another's. So the id on
/// disk can be the same for every workspace, and no two sandboxes share an id.
///
/// It is the sandbox's own user namespace, held by its descriptor: files on disk that belong to the
/// user a program believes to be are the program's, and no others are. Nothing has to be made for
/// it, so an id can be another one every time.
public final class IdMap implements AutoCloseable {
    private final int descriptor;
    private final AtomicBoolean open = new AtomicBoolean(true);

    private IdMap(int descriptor) {
        this.descriptor = descriptor;
    }

    /// @param inside a process of the sandbox that is not dead yet
    public static IdMap of(PidFd inside) {
        try (var arena = Arena.ofConfined()) {
            var namespace = "/proc/%d/ns/user".formatted(inside.pid());
            return new IdMap(new Kernel(arena).open(namespace, Kernel.O_RDONLY));
        }
    }

    int descriptor() {
        return descriptor;
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
