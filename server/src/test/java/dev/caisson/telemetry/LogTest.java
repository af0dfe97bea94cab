package dev.caisson.telemetry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.caisson.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogTest {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(LogTest.class);

    @Test
    void what_a_client_sends_cannot_start_a_line_or_reach_the_terminal() {
        var hostile = "a\n{\"level\":\"error\"}\r\u001b[31m\u0000\u007f\u0085\u2028\"\\\ud800é";
        var line = new LogLine().add("path", hostile).end();
        assertThat(line.strip().chars().filter(c -> Character.isISOControl(c) || c == 0x2028))
                .isEmpty();
        assertThat(Json.parse(line).get("path").asString()).isEqualTo(hostile);
    }

    @Test
    void a_long_value_is_cut_and_says_so() {
        var whole = "x".repeat(LogLine.VALUE_CHARS_MAX);
        assertThat(new LogLine().add("a", whole).end()).isEqualTo("{\"a\":\"" + whole + "\"}\n");
        assertThat(new LogLine().add("a", whole + "y").end())
                .endsWith("x… (" + (LogLine.VALUE_CHARS_MAX + 1) + " characters)\"}\n");
    }

    @Test
    void numbers_are_numbers() {
        assertThat(new LogLine().add("ms", 1.0456).add("n", -3).end())
                .isEqualTo("{\"ms\":1.046,\"n\":-3}\n");
    }

    @Test
    void lines_come_out_in_order_without_anybody_waiting_for_the_writer() {
        var out = new ByteArrayOutputStream();
        var appender = started(out);
        for (int i = 0; i < 1000; i++) {
            appender.doAppend(event("line " + i));
        }
        await().until(() -> out.toString(UTF_8).contains("line 999"));
        assertThat(out.toString(UTF_8).lines()).hasSize(1000);
        appender.stop();
    }

    @Test
    void what_does_not_fit_is_counted_in_the_log() throws Exception {
        var gate = new CountDownLatch(1);
        var out = new ByteArrayOutputStream();
        var appender = started(blockedBy(gate, out));
        int lines = LogAppender.QUEUE_MAX * 3;
        for (int i = 0; i < lines; i++) {
            appender.doAppend(event("line"));
        }
        gate.countDown();
        appender.stop();
        var written = out.toString(UTF_8).lines().toList();
        long dropped =
                written.stream()
                        .filter(line -> line.contains("dropped"))
                        .mapToLong(line -> Json.parse(line).get("lines").asLong())
                        .sum();
        long kept = written.stream().filter(line -> line.contains("\"line\"")).count();
        assertThat(dropped).isPositive();
        assertThat(kept + dropped).isEqualTo(lines);
    }

    @Test
    void what_is_said_about_a_fault_is_redacted() {
        var out = new ByteArrayOutputStream();
        var appender = started(out);
        UnaryOperator<String> redaction = text -> text.replace("open-s3same", "[gone]");
        appender.redactedBy(redaction);
        var fault = new IllegalStateException("broke: open-s3same", new Error("open-s3same"));
        appender.doAppend(
                new LoggingEvent(
                        LogTest.class.getName(),
                        LOGGER,
                        Level.ERROR,
                        "of open-s3same",
                        fault,
                        null));
        appender.noMoreRedactedBy(redaction);
        appender.stop();

        assertThat(out.toString(UTF_8))
                .contains("of [gone]", "broke: [gone]", "Caused by")
                .doesNotContain("open-s3same");
    }

    private static LogAppender started(OutputStream out) {
        var appender = new LogAppender(out, LogFormat.JSON);
        appender.setContext(LOGGER.getLoggerContext());
        appender.start();
        return appender;
    }

    private static LoggingEvent event(String message) {
        return new LoggingEvent(LogTest.class.getName(), LOGGER, Level.INFO, message, null, null);
    }

    private static OutputStream blockedBy(CountDownLatch gate, OutputStream out) {
        return new OutputStream() {
            @Override
            public void write(int one) {
                throw new UnsupportedOperationException("lines are written whole");
            }

            @Override
            public void write(byte[] bytes) throws java.io.IOException {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    throw new java.io.InterruptedIOException();
                }
                out.write(bytes);
            }
        };
    }
}
