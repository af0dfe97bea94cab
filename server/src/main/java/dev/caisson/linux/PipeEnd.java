package dev.caisson.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.caisson.linux.calls.Kernel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/// Reading end of a pipe, which can be read for as long as there is something in it, without
/// waiting for more. Who reads and who waits may be different threads.
///
/// It ends when the last writer is gone, or when the server knows that nobody it listens to is left
/// and says so by [#finish()]: a writing end that somebody else holds keeps nobody waiting then.
public final class PipeEnd implements AutoCloseable {
    /// What one reading takes at most.
    public static final int READ_BYTES_MAX = 32 << 10;

    /// A pipe cannot be made to hold more by a program without privileges.
    public static final int PIPE_BYTES_MAX = 1 << 20;

    private static final int POLLED_BYTES = 8;
    private static final short POLLIN = 1;
    private static final int FOR_EVER = -1;
    private static final int NONE = -1;

    private final int descriptor;

    /// Tells those who wait that it is finished; there from the first wait on.
    private int finishing = NONE;

    private boolean open = true;
    private boolean finished;
    private int restBytes = PIPE_BYTES_MAX;

    private PipeEnd(int descriptor) {
        this.descriptor = descriptor;
    }

    /// @param reading is closed with this
    public static PipeEnd of(Descriptor reading) {
        try (var arena = Arena.ofConfined()) {
            new Kernel(arena).stopBlocking(reading.number());
            return new PipeEnd(reading.handOver());
        }
    }

    /// @param pipe a name by which a pipe can be opened again, such as a descriptor in `/proc`
    public static PipeEnd open(Path pipe) {
        try (var arena = Arena.ofConfined()) {
            return new PipeEnd(
                    new Kernel(arena).open(pipe.toString(), Kernel.O_RDONLY | Kernel.O_NONBLOCK));
        }
    }

    /// Makes a named pipe that its owner alone may open.
    public static void make(Path pipe) {
        try (var arena = Arena.ofConfined()) {
            new Kernel(arena).mkfifo(pipe.toString(), 0x180 /* rw------- */);
        }
    }

    /// Blocks its thread, which is no virtual one, until there is something to read, the last
    /// writer is gone, or [#finish()] is called.
    public void await() {
        awaitAny(List.of(this));
    }

    /// The same for the first of several.
    public static void awaitAny(List<PipeEnd> pipes) {
        awaitAny(pipes, List.of());
    }

    /// The same for the first of several, or the end of a process. Nobody closes what is waited
    /// for.
    public static void awaitAny(List<PipeEnd> pipes, List<PidFd> processes) {
        awaitAny(pipes, processes, FOR_EVER);
    }

    /// The same for a bounded time.
    public static void awaitAny(List<PipeEnd> pipes, List<PidFd> processes, Duration atMost) {
        awaitAny(pipes, processes, Math.clamp(atMost.toMillis(), 0, Integer.MAX_VALUE));
    }

    private static void awaitAny(List<PipeEnd> pipes, List<PidFd> processes, int millis) {
        if (pipes.isEmpty() && processes.isEmpty()) {
            return;
        }
        var wanted = new ArrayList<Integer>();
        for (var pipe : pipes) {
            wanted.add(pipe.descriptor);
            int finishing = pipe.finishing();
            if (finishing == NONE) {
                return;
            }
            wanted.add(finishing);
        }
        processes.forEach(process -> wanted.add(process.descriptor()));
        var _ = poll(wanted, millis);
    }

    /// Blocks its thread, which is no virtual one, until there is something to read in one of
    /// several pipes, which nobody else finishes or closes meanwhile, or a process has ended.
    ///
    /// @param wakeup of the thread
    /// @return which of them, by their places: first the pipes, then the process
    /// @throws InterruptedException when the thread is interrupted, and has a wake-up
    public static BitSet awaitAny(
            List<PipeEnd> pipes,
            Optional<PidFd> process,
            Duration atMost,
            Optional<InterruptWakeup> wakeup)
            throws InterruptedException {
        var wanted = new ArrayList<Integer>();
        pipes.forEach(pipe -> wanted.add(pipe.descriptor));
        process.ifPresent(each -> wanted.add(each.descriptor()));
        int millis = Math.clamp(atMost.plusNanos(999_999).toMillis(), 0, Integer.MAX_VALUE);
        if (wakeup.isEmpty()) {
            return poll(wanted, millis);
        }
        var ready = new BitSet();
        wanted.add(wakeup.get().descriptor());
        wakeup.get().during(() -> ready.or(poll(wanted, millis)));
        return ready;
    }

    private static BitSet poll(List<Integer> wanted, int millis) {
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            var polled = kernel.struct((long) wanted.size() * POLLED_BYTES);
            for (int each = 0; each < wanted.size(); each++) {
                polled.set(JAVA_INT, (long) each * POLLED_BYTES, wanted.get(each));
                polled.set(JAVA_SHORT, (long) each * POLLED_BYTES + 4, POLLIN);
            }
            long result = kernel.pollFor(polled, wanted.size(), millis);
            if (result < 0 && -result != Errno.EINTR.number()) {
                throw new KernelException("poll", (int) -result, "a pipe");
            }
            var ready = new BitSet();
            for (int each = 0; result > 0 && each < wanted.size(); each++) {
                ready.set(each, polled.get(JAVA_SHORT, (long) each * POLLED_BYTES + 6) != 0);
            }
            return ready;
        }
    }

    /// @return none when it is finished already
    private synchronized int finishing() {
        if (!finished && finishing == NONE) {
            try (var arena = Arena.ofConfined()) {
                finishing = new Kernel(arena).eventfd();
            }
        }
        return finished ? NONE : finishing;
    }

    /// Everybody who is listened to is dead: what is in the pipe now is the rest. It can still be
    /// read, and is followed by the end.
    public synchronized void finish() {
        if (open && !finished) {
            finished = true;
            if (finishing == NONE) {
                return;
            }
            try (var arena = Arena.ofConfined()) {
                var kernel = new Kernel(arena);
                Kernel.check("eventfd_write", kernel.signalNow(finishing), "a pipe");
            }
        }
    }

    /// What is there now, up to [#READ_BYTES_MAX].
    ///
    /// @return how many bytes; 0 when there is nothing now, -1 when there will be nothing any more
    public synchronized int read(byte[] into) {
        if (!open || restBytes <= 0) {
            return -1;
        }
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            var buffer = arena.allocate(Math.min(into.length, READ_BYTES_MAX));
            long count = kernel.readNow(descriptor, buffer);
            if (-count == Errno.EINTR.number()) {
                return 0;
            }
            if (-count == Errno.EAGAIN.number()) {
                return finished ? -1 : 0;
            }
            Kernel.check("read", count, "a pipe");
            MemorySegment.copy(buffer, JAVA_BYTE, 0, into, 0, (int) count);
            // Whoever holds the other end may go on writing; the dead wrote no more than it holds.
            restBytes -= finished ? (int) count : 0;
            return count == 0 ? -1 : (int) count;
        }
    }

    /// Nobody waits in [#await()] any more when this is called: the pipe has ended.
    @Override
    public synchronized void close() {
        if (open) {
            open = false;
            finished = true;
            try (var arena = Arena.ofConfined()) {
                var kernel = new Kernel(arena);
                kernel.close(descriptor);
                if (finishing != NONE) {
                    kernel.close(finishing);
                }
            }
        }
    }
}
