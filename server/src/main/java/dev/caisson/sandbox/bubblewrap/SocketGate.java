package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.Landlock;
import dev.caisson.linux.UnixSockets;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Socket gate, the first program of a sandbox, which gives up the right to make sockets where
/// another sandbox could find them, see `guests/gate/gate.c`. It is there where it could be
/// compiled; where it is not, or the kernel has no Landlock, the filter refuses such sockets
/// instead.
public final class SocketGate {
    /// As it is called inside.
    private static final String INSIDE = "/run/guest/gate/gate";

    /// What [#trial] says where nothing is there to try it with.
    static final String UNTRIED = "untried";

    private static final String PYTHON_TRIAL =
            """
            import os, socket, sys
            def made(path):
                try:
                    socket.socket(socket.AF_UNIX).bind(path)
                except OSError:
                    return '-'
                os.unlink(path)
                return '+'
            print(''.join(map(made, sys.argv[1:])))
            """;

    private static final long TRIAL_SECONDS_MAX = 10;

    private SocketGate() {}

    /// Where programs can be allowed to have UNIX sockets on this machine.
    ///
    /// @param runtime the directory of shared parts
    public static UnixSockets sockets(Path runtime) {
        return Landlock.isAvailable() && runs(runtime.resolve("guest/gate/gate"))
                ? UnixSockets.PRIVATE_PLACES
                : UnixSockets.PAIRS_ONLY;
    }

    /// One for another architecture, or on a file system from which nothing is executed, does not.
    private static boolean runs(Path gate) {
        try {
            var trial =
                    new ProcessBuilder(gate.toString(), "try")
                            .redirectErrorStream(true)
                            .redirectOutput(Redirect.DISCARD)
                            .start();
            boolean ended = trial.waitFor(TRIAL_SECONDS_MAX, TimeUnit.SECONDS);
            trial.destroyForcibly();
            return ended && trial.exitValue() == 0;
        } catch (IOException absent) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// The words before those of the interpreter.
    ///
    /// @param waits whether the private places are attached after the sandbox was made
    static List<String> before(UnixSockets sockets, boolean waits) {
        return switch (sockets) {
            case PRIVATE_PLACES -> List.of(INSIDE, waits ? "wait" : "now");
            case PAIRS_ONLY -> List.of();
        };
    }

    /// A line of a shell that tells, for each path, whether a program can make a socket there: `+`
    /// or `-`. Where the gate does not run, Python tries it.
    public static String trial(List<String> paths) {
        var all = String.join(" ", paths);
        return "%s try %s 2>/dev/null || python3 -S -c \"%s\" %s 2>/dev/null || echo %s"
                .formatted(INSIDE, all, PYTHON_TRIAL, all, UNTRIED);
    }
}
