package dev.caisson.linux.calls;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.caisson.linux.KernelException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// Small text file of the kernel's that is opened once, at its first use, and then read and written
/// through its descriptor. Cheaper than [KernelFiles] for a file that is used again, and safe to
/// use from several threads.
public final class HeldFile implements AutoCloseable {
    /// No file of a control group that is read here is longer.
    private static final int BYTES_MAX = 4 << 10;

    private static final int NONE = -1;

    private final Path file;
    private final int flags;
    private int descriptor = NONE;
    private boolean closed;

    private HeldFile(Path file, int flags) {
        this.file = file;
        this.flags = flags;
    }

    public static HeldFile toRead(Path file) {
        return new HeldFile(file, Kernel.O_RDONLY);
    }

    public static HeldFile toReadAndWrite(Path file) {
        return new HeldFile(file, Kernel.O_RDWR);
    }

    /// What it says now.
    ///
    /// @throws UncheckedIOException when it is not there, or was closed
    public String read() {
        return use((kernel, arena, held) -> {
            var into = arena.allocate(BYTES_MAX);
            int count = Kernel.check("pread", kernel.readAtStartNow(held, into), file.toString());
            var bytes = new byte[count];
            MemorySegment.copy(into, JAVA_BYTE, 0, bytes, 0, count);
            return new String(bytes, StandardCharsets.ISO_8859_1).strip();
        });
    }

    public long number() {
        return Long.parseLong(read());
    }

    /// @throws UncheckedIOException when the kernel refuses it
    public void write(String text) {
        use((kernel, arena, held) -> {
            var from = arena.allocateFrom(JAVA_BYTE, text.getBytes(StandardCharsets.US_ASCII));
            return Kernel.check("pwrite", kernel.writeAtStartNow(held, from), file + ": " + text);
        });
    }

    /// Writes a limit and checks that the kernel took it, rounded down to whole pages.
    public void writeBytesVerified(long bytes) {
        write(Long.toString(bytes));
        long taken = number();
        if (!KernelFiles.isTaken(bytes, taken)) {
            throw new IllegalStateException(
                    "the kernel did not take %d for %s: it has %d".formatted(bytes, file, taken));
        }
    }

    private interface Use<T> {
        T with(Kernel kernel, Arena arena, int held);
    }

    private synchronized <T> T use(Use<T> use) {
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            if (closed) {
                throw new UncheckedIOException(new IOException(file + " is not held any more"));
            }
            if (descriptor == NONE) {
                descriptor = kernel.open(file.toString(), flags);
            }
            return use.with(kernel, arena, descriptor);
        } catch (KernelException failed) {
            throw new UncheckedIOException(new IOException("cannot use " + file, failed));
        }
    }

    @Override
    public synchronized void close() {
        if (!closed && descriptor != NONE) {
            try (var arena = Arena.ofConfined()) {
                new Kernel(arena).closeNow(descriptor);
            }
        }
        closed = true;
    }
}
