package dev.caisson.telemetry;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import java.time.Instant;
import java.util.Locale;
import java.util.function.UnaryOperator;

/// Makes a line of JSON of a log event: `{"time":…,"level":…,"logger":…,"message":…[,
/// fields…][,"exception":…]}`.
final class LogEncoder implements LogFormat {
    @Override
    public String line(ILoggingEvent event, UnaryOperator<String> redaction) {
        var thrown = event.getThrowableProxy();
        var message = event.getFormattedMessage();
        var line =
                head(
                        event.getTimeStamp(),
                        event.getLevel().toString().toLowerCase(Locale.ROOT),
                        event.getLoggerName(),
                        thrown == null ? message : redaction.apply(message));
        var arguments = event.getArgumentArray();
        if (arguments != null) {
            for (var argument : arguments) {
                if (argument instanceof LogFields fields) {
                    fields.writeTo(line);
                }
            }
        }
        if (thrown != null) {
            line.add("exception", redaction.apply(ThrowableProxyUtil.asString(thrown)));
        }
        return line.end();
    }

    @Override
    public String dropped(long lines) {
        return head(
                        System.currentTimeMillis(),
                        "warn",
                        LogAppender.class.getName(),
                        "log lines were dropped because they came too fast")
                .add("lines", lines)
                .end();
    }

    private static LogLine head(long millis, String level, String logger, String message) {
        return new LogLine()
                .add("time", Instant.ofEpochMilli(millis).toString())
                .add("level", level)
                .add("logger", logger)
                .add("message", message);
    }
}
