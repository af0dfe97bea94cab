package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A server that was started in the background ignores interrupts, as a shell has it. What it
/// starts would inherit that; a program in a sandbox does not.
@Tag("root")
@InBubblewrap
@ExtendWith(Rig.Shared.class)
class IgnoredSignalsTest {
    private static final String PYTHON =
            "import signal\nprint(signal.getsignal(signal.SIGINT) is signal.default_int_handler)";

    private final Rig rig;

    IgnoredSignalsTest(Rig rig) {
        this.rig = rig;
    }

    @Test
    void python_is_interrupted_as_ever() throws Exception {
        ignoringInterrupts(
                () -> assertThat(rig.run(Language.PYTHON, PYTHON).stdout()).isEqualTo("True\n"));
    }

    @Test
    void a_shell_and_its_children_can_be_interrupted() throws Exception {
        var code =
                "trap 'echo caught' INT\nkill -INT $$\n"
                        + "sh -c 'kill -INT $$; echo still here'\necho $?";
        ignoringInterrupts(
                () -> assertThat(rig.run(Language.BASH, code).stdout()).isEqualTo("caught\n130\n"));
    }

    @Test
    void python_is_interrupted_also_where_no_gate_is(@TempDir Path guests) throws Exception {
        try (var gateless = Rig.openWithoutGate(guests)) {
            ignoringInterrupts(() ->
                    assertThat(gateless.run(Language.PYTHON, PYTHON).stdout()).isEqualTo("True\n"));
        }
    }

    /// Two of them are the C library's own, which does not let a program set them.
    @Test
    void no_signal_at_all_is_ignored_behind_the_gate() throws Exception {
        var ignoring =
                """
                import ctypes, os, platform, sys
                number = {'x86_64': 13, 'aarch64': 134}[platform.machine()]
                ignore = (ctypes.c_ulong * 4)(1, 0, 0, 0)
                for signal in set(range(1, 65)) - {9, 19}:
                    if ctypes.CDLL(None).syscall(number, signal, ignore, None, 8):
                        sys.exit('signal %d cannot be ignored' % signal)
                os.execv(sys.argv[1], ['gate', 'now', 'grep', 'SigIgn', '/proc/self/status'])
                """;
        var gate = Rig.guests().resolve("gate/gate").toString();
        var process =
                new ProcessBuilder("python3", "-c", ignoring, gate)
                        .redirectErrorStream(true)
                        .start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).isEqualTo("SigIgn:\t0000000000000000\n");
    }

    private interface Body {
        void run() throws Exception;
    }

    /// The JDK's only door to signals is one the compiler warns of, so it is opened by name.
    private static void ignoringInterrupts(Body body) throws Exception {
        var handler = Class.forName("sun.misc.SignalHandler");
        var before = handle(handler.getField("SIG_IGN").get(null));
        try {
            body.run();
        } finally {
            handle(before);
        }
    }

    private static Object handle(Object handler)
            throws ReflectiveOperationException, InvocationTargetException {
        var signal = Class.forName("sun.misc.Signal");
        return signal.getMethod("handle", signal, Class.forName("sun.misc.SignalHandler"))
                .invoke(null, signal.getConstructor(String.class).newInstance("INT"), handler);
    }
}
