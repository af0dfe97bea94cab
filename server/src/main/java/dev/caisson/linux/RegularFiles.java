package dev.caisson.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.caisson.linux.calls.Kernel;
import dev.caisson.linux.calls.PathCalls;
import java.lang.foreign.MemorySegment;

/// Reader of many regular files in untrusted directories, one after the other: as
/// [UntrustedDirectory#read], without a channel for each. It belongs to one thread at a time.
public final class RegularFiles implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 << 10;
    private static final int NONE = -1;

    private final PathCalls calls = PathCalls.forMany();
    private final MemorySegment buffer = calls.allocate(BUFFER_BYTES);
    private int file = NONE;

    /// Opens a file in the place of the one before.
    ///
    /// @throws KernelException EINVAL when it is no regular file
    public Node open(UntrustedDirectory directory, byte[] path) {
        closeFile();
        file = calls.open(directory.descriptor(), path, Kernel.O_RDONLY | PathCalls.O_NONBLOCK, 0);
        var node = calls.look(file);
        if (!node.isFile()) {
            closeFile();
            throw new KernelException("read", Errno.EINVAL.number(), "not a regular file");
        }
        return node;
    }

    /// Reads on in the file that is open.
    ///
    /// @return how many bytes there were; 0 at the end
    public int read(byte[] into, int from) {
        var part = buffer.asSlice(0, Math.min(BUFFER_BYTES, into.length - from));
        int count = Kernel.check("read", calls.kernel().readNow(file, part), "");
        MemorySegment.copy(part, JAVA_BYTE, 0, into, from, count);
        return count;
    }

    public void closeFile() {
        if (file != NONE) {
            calls.kernel().closeNow(file);
            file = NONE;
        }
    }

    @Override
    public void close() {
        closeFile();
        calls.close();
    }
}
