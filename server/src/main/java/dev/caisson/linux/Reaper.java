package dev.caisson.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.caisson.linux.calls.Kernel;
import dev.caisson.linux.calls.Pause;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// Reaper of processes that lost their parents. This process becomes the one that inherits orphans
/// of its descendants; each is reaped by the descriptor it is known by, never "whichever comes",
/// which would steal the exit status of children that belong to others.
public final class Reaper {
    private static final int PR_SET_CHILD_SUBREAPER = 36;
    private static final int P_PIDFD = 3;
    private static final int WNOHANG = 1;
    private static final int WEXITED = 4;
    private static final int SIGINFO_BYTES = 128;
    private static final int CLD_EXITED = 1;
    private static final int CLD_DUMPED = 3;

    private static final String NOT_TOLD =
            "This kernel does not tell a program that exits with 137 from one that was killed: use Linux 6.15 or newer.";

    private Reaper() {}

    /// Why the exit status of a process that is not a child cannot be told, and what to do about
    /// it. Shown by a grandchild that exits with 137, which must not look like one that was killed.
    public static Optional<String> missing() {
        try {
            var parent =
                    new ProcessBuilder(
                                    "sh",
                                    "-c",
                                    "exec 3<&0; sh -c 'echo $$; read go; exit 137' <&3 & wait $!")
                            .start();
            try (var input = parent.outputWriter();
                    var output = parent.inputReader();
                    var grandchild = PidFd.open(Long.parseLong(output.readLine()))) {
                input.write("go\n");
                input.flush();
                parent.waitFor();
                return grandchild.exitStatus().equals(Optional.of(new ExitStatus.Exited(137)))
                        ? Optional.empty()
                        : Optional.of(NOT_TOLD);
            } finally {
                parent.destroyForcibly();
            }
        } catch (IOException | KernelException | NumberFormatException failed) {
            return Optional.of(NOT_TOLD + " (" + failed.getMessage() + ")");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.of("The exit status could not be tried.");
        }
    }

    /// From now on orphans of this process's descendants come to it. May be called again.
    public static Reaper install() {
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            Kernel.check("prctl", kernel.prctlNow(PR_SET_CHILD_SUBREAPER, 1), "child subreaper");
            return new Reaper();
        }
    }

    /// Waits until a process has ended and is nobody's zombie any more: reaped here, when it is or
    /// becomes a child of this process, or by its own parent.
    ///
    /// @return how it ended; empty when the time was over, or another reaped it and the kernel does
    ///   not tell
    public Optional<ExitStatus> reap(PidFd process, Duration atMost) throws InterruptedException {
        var reaped = new AtomicReference<Optional<ExitStatus>>(Optional.empty());
        Pause.until(
                () -> {
                    reaped.set(tryReap(process).or(process::exitStatus));
                    return reaped.get().isPresent() || process.isGone();
                },
                atMost);
        return reaped.get();
    }

    private static Optional<ExitStatus> tryReap(PidFd process) {
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            var info = kernel.struct(SIGINFO_BYTES);
            int result =
                    process.whileOpen(
                            held -> kernel.waitidNow(P_PIDFD, held, info, WEXITED | WNOHANG));
            boolean reaped = result >= 0 && info.get(JAVA_INT, 16) != 0;
            return reaped
                    ? Optional.of(status(info.get(JAVA_INT, 8), info.get(JAVA_INT, 24)))
                    : Optional.empty();
        }
    }

    private static ExitStatus status(int code, int status) {
        return code == CLD_EXITED
                ? new ExitStatus.Exited(status)
                : new ExitStatus.Signalled(status, code == CLD_DUMPED);
    }
}
