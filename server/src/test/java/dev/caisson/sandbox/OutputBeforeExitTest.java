package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a program of Node wrote before it exits arrives whole, however much more than a pipe holds.
@Tag("root")
@ExtendWith(Rig.Shared.class)
class OutputBeforeExitTest {
    private static final int BYTES = 1 << 20;

    private final Rig rig;

    OutputBeforeExitTest(Rig rig) {
        this.rig = rig;
    }

    @ParameterizedTest
    @EnumSource(names = {"NODE", "TYPESCRIPT"})
    void one_large_write_to_each_stream(Language language) throws Exception {
        for (var stream : new String[] {"stdout", "stderr"}) {
            var code = "process.%s.write('x'.repeat(%d)); process.exit(3)".formatted(stream, BYTES);
            var result = rig.run(language, code);
            assertThat(result.code()).isEqualTo(3);
            assertThat(stream.equals("stdout") ? result.stdout() : result.stderr())
                    .hasSize(BYTES)
                    .containsOnlyOnce("x".repeat(BYTES));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NODE", "TYPESCRIPT"})
    void many_lines(Language language) throws Exception {
        var result =
                rig.run(
                        language,
                        "for (let i = 0; i < 20000; i++) { console.log(i, 'of many lines that are written'); console.error(i) }; process.exit()");
        assertThat(result.code()).isZero();
        assertThat(result.stdout().lines()).hasSize(20_000);
        assertThat(result.stdout()).endsWith("19999 of many lines that are written\n");
        assertThat(result.stderr().lines()).hasSize(20_000);
    }

    @ParameterizedTest
    @EnumSource(names = {"NODE", "TYPESCRIPT"})
    void an_exit_of_a_handler_and_an_error_nobody_catches(Language language) throws Exception {
        var write = "process.stdout.write('x'.repeat(%d)); ".formatted(BYTES);
        var handled =
                rig.run(
                        language,
                        "process.on('uncaughtException', () => { %s process.exit(7) }); throw new Error('no')"
                                .formatted(write));
        assertThat(handled.code()).isEqualTo(7);
        assertThat(handled.stdout()).hasSize(BYTES);
        var uncaught = rig.run(language, write + "throw new Error('nobody catches this')");
        assertThat(uncaught.code()).isEqualTo(1);
        assertThat(uncaught.stdout()).hasSize(BYTES);
        assertThat(uncaught.stderr()).contains("nobody catches this");
    }

    @ParameterizedTest
    @EnumSource(names = {"NODE", "TYPESCRIPT"})
    void in_a_session_too(Language language) throws Exception {
        try (var session = new Guestbook(rig, language)) {
            assertThat(session.run("console.log('y'.repeat(%d))".formatted(BYTES)).stdout())
                    .hasSize(BYTES + 1);
            var result =
                    session.run(
                            "process.stdout.write('x'.repeat(%d)); process.exit(3)"
                                    .formatted(BYTES));
            assertThat(result.code()).isEqualTo(3);
            assertThat(result.stdout()).hasSize(BYTES);
        }
    }
}
