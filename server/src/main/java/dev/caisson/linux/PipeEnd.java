package dev.caisson.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// The reading end of a pipe that can be read for as long as there is something in it, without
/// waiting for more. Who reads and who waits may be different threads; one reads at a time.
public final class PipeEnd implements AutoCloseable {
    /// What one reading takes at most.
    public static final int READ_BYTES_MAX = 32 << 10;

    /// A pipe cannot be made to hold more by a program without privileges.
    public static final int PIPE_BYTES_MAX = 1 << 20;

    private final int descriptor;
    private boolean open = true;

    private PipeEnd(int descriptor) {
        this.descriptor = descriptor;
    }

    /// @param pipe a name by which a pipe can be opened again, such as a descriptor in `/proc`
    public static PipeEnd open(Path pipe) {
        try (var arena = Arena.ofConfined()) {
            var flags = Kernel.O_RDONLY | Kernel.O_NONBLOCK;
            return new PipeEnd(new Kernel(arena).open(pipe.toString(), flags));
        }
    }

    /// Blocks its thread, which is no virtual one, until there is something to read or the last
    /// writer is gone. Must not be closed meanwhile.
    public void await() {
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            var wanted = kernel.struct(8);
            wanted.set(JAVA_INT, 0, descriptor);
            wanted.set(JAVA_SHORT, 4, (short) 1 /* POLLIN */);
            long result = kernel.pollForEver(wanted, 1);
            if (result < 0 && -result != Errno.EINTR.number()) {
                throw new KernelException("poll", (int) -result, "a pipe");
            }
        }
    }

    /// What is there now, up to [#READ_BYTES_MAX].
    ///
    /// @return how many bytes; 0 when there is nothing now, -1 when there will be nothing any more
    public int read(byte[] into) {
        if (!open) {
            return -1;
        }
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            var buffer = arena.allocate(Math.min(into.length, READ_BYTES_MAX));
            long count = kernel.readNow(descriptor, buffer);
            if (-count == Errno.EAGAIN.number() || -count == Errno.EINTR.number()) {
                return 0;
            }
            Kernel.check("read", count, "a pipe");
            MemorySegment.copy(buffer, JAVA_BYTE, 0, into, 0, (int) count);
            return count == 0 ? -1 : (int) count;
        }
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            try (var arena = Arena.ofConfined()) {
                new Kernel(arena).close(descriptor);
            }
        }
    }
}
