package dev.caisson.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.caisson.linux.calls.Kernel;
import dev.caisson.linux.calls.NumberedCalls;
import dev.caisson.linux.calls.Pause;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/// Process handle by a pidfd: the number cannot come to mean another process, and holding it keeps
/// nothing of the process alive. Safe to use from several threads.
public final class PidFd implements AutoCloseable {
    static final int SIGKILL = 9;
    private static final int SIGNAL_GROUP = 1 << 2;

    private static final int INFO_BYTES = 64;
    private static final int INFO_PID = 1;
    private static final int INFO_EXIT = 1 << 3;
    private static final long GET_INFO = 0xC040FF0BL;

    private static final Pattern NUMBER = Pattern.compile("(?m)^Pid:\\s*(-?\\d+)$");

    private final long pid;
    private final int descriptor;
    private boolean open = true;

    private PidFd(long pid, int descriptor) {
        this.pid = pid;
        this.descriptor = descriptor;
    }

    /// @throws KernelException with `ESRCH` when there is no such process
    public static PidFd open(long pid) {
        try (var arena = Arena.ofConfined()) {
            return new PidFd(
                    pid, new Kernel(arena).syscall(NumberedCalls.PIDFD_OPEN, pid, 0, 0, 0, 0));
        }
    }

    /// One that came in a message, and is closed with this.
    ///
    /// @throws KernelException with `ESRCH` when the process is gone already
    public static PidFd of(Descriptor received) {
        try {
            var told = toldPid(received.number());
            long pid = told.isPresent() ? told.getAsLong() : shownPid(received.number());
            if (pid <= 0) {
                received.close();
                throw new KernelException("pidfd", Errno.ESRCH.number(), "a process of a nest");
            }
            return new PidFd(pid, received.number());
        } catch (IOException failed) {
            received.close();
            throw new UncheckedIOException("a descriptor cannot be looked at", failed);
        }
    }

    /// As the kernel tells it; empty when the process is gone, and on kernels that do not tell
    /// (before 6.13).
    static OptionalLong toldPid(int descriptor) {
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            var info = kernel.struct(INFO_BYTES);
            info.set(JAVA_LONG, 0, INFO_PID);
            long result = kernel.ioctlNow(descriptor, GET_INFO, info.address());
            boolean told = result >= 0 && (info.get(JAVA_LONG, 0) & INFO_PID) != 0;
            return told
                    ? OptionalLong.of(Integer.toUnsignedLong(info.get(JAVA_INT, 16)))
                    : OptionalLong.empty();
        }
    }

    /// As a file shows it; at most 0 when the process is gone.
    static long shownPid(int descriptor) throws IOException {
        var info = Files.readString(Path.of("/proc/self/fdinfo", "" + descriptor));
        var pid = NUMBER.matcher(info);
        return pid.find() ? Long.parseLong(pid.group(1)) : 0;
    }

    /// One by which a process group is signalled, whose leader may be gone.
    public static PidFd ofGroup(Descriptor received) {
        return new PidFd(0, received.number());
    }

    /// The descriptor itself, for those who wait for the end of the process and know that nobody
    /// closes it meanwhile.
    int descriptor() {
        return descriptor;
    }

    /// A second descriptor of the same process, to be given away.
    public Descriptor duplicate() {
        return inKernel((kernel, held) -> new Descriptor(kernel.duplicate(held)));
    }

    /// As the process was called when it was opened.
    public long pid() {
        return pid;
    }

    /// Uses the descriptor while nobody can close it: a number that was closed may come to mean
    /// another process.
    synchronized <T> T whileOpen(IntFunction<T> use) {
        if (!open) {
            throw new IllegalStateException("process " + pid + " is not held any more");
        }
        return use.apply(descriptor);
    }

    /// Kills it. When it is the first process of a process namespace, everything in there dies with
    /// it. A process that is gone already is fine.
    public void kill() {
        signal(SIGKILL);
    }

    public void signal(int signal) {
        long result = trySignal(signal);
        if (result < 0 && -result != Errno.ESRCH.number()) {
            throw new KernelException("pidfd_send_signal", (int) -result, "process " + pid);
        }
    }

    /// Signals everything in the process group it leads, as a key of a terminal would. A kernel
    /// that cannot (before 6.9) leaves that to whoever asks.
    ///
    /// @return false when nothing was signalled
    public boolean signalGroup(int signal) {
        return inKernel((kernel, held) ->
                kernel.syscallNow(
                        NumberedCalls.PIDFD_SEND_SIGNAL, held, signal, 0, SIGNAL_GROUP, 0))
                >= 0;
    }

    /// Whether it has ended and was reaped: a signal reaches even a zombie.
    boolean isGone() {
        return -trySignal(0) == Errno.ESRCH.number();
    }

    private long trySignal(int signal) {
        return inKernel((kernel, held) ->
                kernel.syscallNow(NumberedCalls.PIDFD_SEND_SIGNAL, held, signal, 0, 0, 0));
    }

    private <T> T inKernel(BiFunction<Kernel, Integer, T> use) {
        return whileOpen(held -> {
            try (var arena = Arena.ofConfined()) {
                return use.apply(new Kernel(arena), held);
            }
        });
    }

    /// Whether it has ended, be it reaped or not.
    public boolean hasExited() {
        return inKernel((kernel, held) -> {
            var wanted = kernel.struct(8);
            wanted.set(JAVA_INT, 0, held);
            wanted.set(JAVA_SHORT, 4, (short) 1 /* POLLIN */);
            return Kernel.check("poll", kernel.pollNow(wanted, 1), "process " + pid) > 0;
        });
    }

    /// Waits until it has ended.
    ///
    /// @return false when the time is over and it still runs
    public boolean awaitExit(Duration atMost) throws InterruptedException {
        return Pause.until(this::hasExited, atMost);
    }

    /// Blocks a thread, which is no virtual one, until it has ended and was reaped: then how it
    /// ended is known. On kernels before 6.9 nobody is woken by that; those do not tell it either.
    public void awaitReaped() {
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            // A descriptor of its own: others must not wait for this to kill the process.
            int own = whileOpen(kernel::duplicate);
            try {
                var wanted = kernel.struct(8);
                wanted.set(JAVA_INT, 0, own);
                long result = kernel.pollForEver(wanted, 1);
                while (-result == Errno.EINTR.number()) {
                    result = kernel.pollForEver(wanted, 1);
                }
                Kernel.check("poll", result, "process " + pid);
            } finally {
                kernel.closeNow(own);
            }
        }
    }

    /// How it ended. Known once it was reaped, by whoever its parent is; empty before that, and on
    /// kernels that do not tell (before 6.15).
    public Optional<ExitStatus> exitStatus() {
        return inKernel((kernel, held) -> {
            var info = kernel.struct(INFO_BYTES);
            info.set(JAVA_LONG, 0, INFO_EXIT);
            long result = kernel.ioctlNow(held, GET_INFO, info.address());
            boolean told = result >= 0 && (info.get(JAVA_LONG, 0) & INFO_EXIT) != 0;
            return told
                    ? Optional.of(ExitStatus.ofWaitStatus(info.get(JAVA_INT, 60)))
                    : Optional.empty();
        });
    }

    @Override
    public synchronized void close() {
        if (open) {
            open = false;
            try (var arena = Arena.ofConfined()) {
                new Kernel(arena).close(descriptor);
            }
        }
    }
}
