package dev.caisson.telemetry;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import java.time.Instant;
import java.util.Locale;

/// Makes a line of JSON of a log event: `{"time":…,"level":…,"logger":…,"message":…[,
/// fields…][,"exception":…]}`.
final class LogEncoder {
    private LogEncoder() {}

    static String line(ILoggingEvent event) {
        var line =
                head(
                        event.getTimeStamp(),
                        event.getLevel().toString().toLowerCase(Locale.ROOT),
                        event.getLoggerName(),
                        event.getFormattedMessage());
        var arguments = event.getArgumentArray();
        if (arguments != null) {
            for (var argument : arguments) {
                if (argument instanceof LogFields fields) {
                    fields.writeTo(line);
                }
            }
        }
        var thrown = event.getThrowableProxy();
        if (thrown != null) {
            line.add("exception", ThrowableProxyUtil.asString(thrown));
        }
        return line.end();
    }

    static String dropped(long lines) {
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
