package dev.caisson.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.caisson.telemetry.TextLine.Tone;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/// What people read on a terminal: short, in colours where they want them, and never in the power
/// of those whose words it repeats.
class TextEncoderTest {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(TextEncoderTest.class);
    private static final long NOON = 12 * 3_600_000L + 7 * 60_000 + 11_000;

    @TempDir Path directory;

    @Test
    void a_line_is_a_time_and_a_few_words() {
        assertThat(line(false, Level.INFO, "removed 3 threads"))
                .isEqualTo("12:07:11 removed 3 threads\n");
        assertThat(line(false, Level.WARN, "slow")).isEqualTo("12:07:11 WARN slow\n");
    }

    @Test
    void fields_are_told_in_place_of_the_message() {
        var fields =
                new LogFields() {
                    @Override
                    public void writeTo(LogLine line) {
                        throw new AssertionError("not JSON");
                    }

                    @Override
                    public void describe(TextLine line) {
                        line.word("POST").word("/mcp").word("200", Tone.GOOD).time(127_400_000);
                    }
                };
        var event = event(Level.INFO, "call", null, fields);
        assertThat(encoder(false).line(event, UnaryOperator.identity()))
                .isEqualTo("12:07:11 POST /mcp 200 127ms\n");
        assertThat(encoder(true).line(event, UnaryOperator.identity()))
                .contains("\u001b[32m200\u001b[0m");
    }

    @Test
    void what_a_program_says_cannot_start_a_line_or_reach_the_terminal() {
        var hostile =
                "a\n12:00:00 fine\r\u001b[2J\u009b31m\u0000\u007f\u202e\u2028\u200b\ud83d\ude00é";
        for (boolean coloured : new boolean[] {true, false}) {
            var line = line(coloured, Level.INFO, hostile).stripTrailing();
            assertThat(line.replace("\u001b[2m", "").replace("\u001b[0m", "").chars())
                    .noneMatch(c ->
                            Character.isISOControl(c)
                                    || Character.getType(c) == Character.FORMAT
                                    || c == 0x2028);
            assertThat(line).contains("\\u001b[2J", "é");
        }
    }

    @Test
    void a_stack_trace_is_redacted_and_indented_and_cannot_forge_a_line() {
        var fault = new IllegalStateException("broke: s3same\n12:00:00 all is well");
        var text =
                encoder(false)
                        .line(
                                event(Level.ERROR, "of s3same", fault),
                                words -> words.replace("s3same", "[gone]"));
        assertThat(text).startsWith("12:07:11 ERROR of [gone]\n    ").doesNotContain("s3same");
        assertThat(text.lines().skip(1)).allMatch(line -> line.startsWith("    "));
    }

    @Test
    void a_long_word_is_cut_and_says_so() {
        var whole = "x".repeat(TextLine.WORD_CHARS_MAX);
        assertThat(new TextLine(false).word(whole).end()).isEqualTo(whole + "\n");
        assertThat(new TextLine(false).word(whole + "y").end())
                .endsWith("x… (" + (TextLine.WORD_CHARS_MAX + 1) + " characters)\n");
    }

    @Test
    void a_terminal_gets_text_and_everything_else_json_unless_asked() throws IOException {
        var terminal = Files.createSymbolicLink(directory.resolve("2"), Path.of("/dev/pts/3"));
        var pipe = Files.createSymbolicLink(directory.resolve("3"), Path.of("pipe:[17]"));
        var auto = LogSettings.Format.AUTO;
        assertThat(LogFormat.of(auto, Map.of("TERM", "xterm"), terminal))
                .isInstanceOf(TextEncoder.class);
        assertThat(LogFormat.of(auto, Map.of(), pipe)).isSameAs(LogFormat.JSON);
        assertThat(LogFormat.of(auto, Map.of(), directory.resolve("none")))
                .isSameAs(LogFormat.JSON);
        assertThat(LogFormat.of(LogSettings.Format.JSON, Map.of(), terminal))
                .isSameAs(LogFormat.JSON);
        assertThat(coloured(LogSettings.Format.TEXT, Map.of(), pipe)).isFalse();
        assertThat(coloured(auto, Map.of(), terminal)).isTrue();
        assertThat(coloured(auto, Map.of("NO_COLOR", "1"), terminal)).isFalse();
        assertThat(coloured(auto, Map.of("NO_COLOR", ""), terminal)).isTrue();
        assertThat(coloured(auto, Map.of("TERM", "dumb"), terminal)).isFalse();
    }

    private static boolean coloured(
            LogSettings.Format wish, Map<String, String> environment, Path stream) {
        return ((TextEncoder) LogFormat.of(wish, environment, stream)).coloured();
    }

    private static String line(boolean coloured, Level level, String message) {
        return encoder(coloured).line(event(level, message, null), UnaryOperator.identity());
    }

    private static TextEncoder encoder(boolean coloured) {
        return new TextEncoder(coloured, ZoneOffset.UTC);
    }

    private static LoggingEvent event(
            Level level, String message, @Nullable Throwable fault, Object... arguments) {
        var event =
                new LoggingEvent(
                        TextEncoderTest.class.getName(), LOGGER, level, message, fault, arguments);
        event.setTimeStamp(NOON);
        return event;
    }
}
