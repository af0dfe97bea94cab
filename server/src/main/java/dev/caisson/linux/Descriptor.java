package dev.caisson.linux;

import dev.caisson.linux.calls.Kernel;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/// File descriptor of this process, closed once: the end of a pipe that somebody else is to have, a
/// file of the kernel's, or one that came in a message.
public final class Descriptor implements AutoCloseable {
    private static final int O_WRONLY = 1;

    private final int number;
    private boolean open = true;

    Descriptor(int number) {
        this.number = number;
    }

    /// A pipe whose ends are both ours until somebody gets one.
    public record Pipe(Descriptor reading, Descriptor writing) implements AutoCloseable {
        public static Pipe open() {
            try (var arena = Arena.ofConfined()) {
                var ends = new Kernel(arena).pipe();
                return new Pipe(new Descriptor(ends[0]), new Descriptor(ends[1]));
            }
        }

        @Override
        public void close() {
            reading.close();
            writing.close();
        }
    }

    /// Opens a file of the kernel's to be read, or to stand for what it is.
    public static Descriptor toRead(Path file) {
        try (var arena = Arena.ofConfined()) {
            return new Descriptor(new Kernel(arena).open(file.toString(), 0));
        }
    }

    /// Opens a file of the kernel's to be written.
    public static Descriptor toWrite(Path file) {
        try (var arena = Arena.ofConfined()) {
            return new Descriptor(new Kernel(arena).open(file.toString(), O_WRONLY));
        }
    }

    synchronized int number() {
        if (!open) {
            throw new IllegalStateException("descriptor " + number + " is closed");
        }
        return number;
    }

    /// Hands it over to somebody who closes it.
    synchronized int handOver() {
        int mine = number();
        open = false;
        return mine;
    }

    /// A name by which what it leads to can be opened again.
    public Path path() {
        return Path.of("/proc/self/fd", Integer.toString(number()));
    }

    /// Makes a user of the host the owner of what it leads to.
    public void giveTo(int user) {
        try (var arena = Arena.ofConfined()) {
            new Kernel(arena).giveTo(number(), user, user);
        }
    }

    @Override
    public synchronized void close() {
        if (open) {
            open = false;
            try (var arena = Arena.ofConfined()) {
                new Kernel(arena).close(number);
            }
        }
    }
}
