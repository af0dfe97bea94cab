package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Errors never stand before output that was written earlier, however busy the machine.
@Tag("root")
@ExtendWith(Rig.Shared.class)
abstract class OutputOrderTest {
    private static final int RUNS = 20;

    private final Rig rig;

    OutputOrderTest(Rig rig) {
        this.rig = rig;
    }

    /// Both streams as one text, as they came.
    private static final class Together implements Sink {
        private final StringBuilder text = new StringBuilder();

        @Override
        public synchronized void write(Stream stream, byte[] bytes, int offset, int length) {
            text.append(new String(bytes, offset, length, StandardCharsets.UTF_8));
        }

        synchronized String text() {
            return text.toString();
        }
    }

    private String run(Language language, String code) throws InterruptedException {
        var output = new Together();
        var runner = rig.sandboxes().runners().of(language).orElseThrow();
        var workspace = new Workspace.Directory(rig.workspace());
        rig.sandboxes()
                .run(new Run("order", runner, code, Rig.LIMITS, Map.of(), workspace, output));
        return output.text();
    }

    /// A thread that takes a core, so that whoever reads is late.
    ///
    /// @return ends it
    private static AtomicBoolean busy() {
        var over = new AtomicBoolean();
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    while (!over.get()) {
                        Thread.onSpinWait();
                    }
                });
        return over;
    }

    @Test
    void a_traceback_stands_behind_what_was_printed() throws Exception {
        var over = busy();
        try {
            for (int run = 0; run < RUNS; run++) {
                var text = run(Language.PYTHON, "for i in range(3): print('line', i)\n1 / 0");
                assertThat(text)
                        .startsWith("line 0\nline 1\nline 2\nTraceback")
                        .endsWith("ZeroDivisionError: division by zero\n");
            }
        } finally {
            over.set(true);
        }
    }

    @Test
    void every_language_has_its_output_before_the_error_that_follows() throws Exception {
        var programs =
                Map.of(
                        Language.PYTHON,
                        "import sys\nprint('first')\nprint('second', file=sys.stderr)",
                        Language.NODE,
                        "console.log('first'); console.error('second')",
                        Language.TYPESCRIPT,
                        "console.log('first' as string); console.error('second')",
                        Language.BASH,
                        "echo first; ls /second");
        for (var program : programs.entrySet()) {
            for (int run = 0; run < 5; run++) {
                assertThat(run(program.getKey(), program.getValue()))
                        .as("%s", program.getKey())
                        .startsWith("first\n")
                        .contains("second");
            }
        }
    }

    /// More than a pipe holds, and by two processes.
    @Test
    void much_output_and_other_processes_change_nothing() throws Exception {
        var code = "head -c 3000000 /dev/zero | tr '\\0' x; sh -c 'echo last' >&2; echo; echo end";
        var text = run(Language.BASH, code);
        assertThat(text.indexOf("last")).isGreaterThanOrEqualTo(3_000_000);
        assertThat(text).hasSize(3_000_000 + "last\n\nend\n".length());
    }

    @Test
    void a_session_keeps_the_order_too() throws Exception {
        try (var session = new Guestbook(rig, Language.PYTHON)) {
            for (int run = 0; run < RUNS; run++) {
                var output = new Together();
                session.run("print('before')\n1 / 0", Duration.ofSeconds(30), Map.of(), output);
                assertThat(output.text()).startsWith("before\nTraceback");
            }
        }
    }
}
