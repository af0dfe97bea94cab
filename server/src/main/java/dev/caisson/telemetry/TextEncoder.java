package dev.caisson.telemetry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import dev.caisson.telemetry.TextLine.Tone;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Makes a short line for people of a log event: `12:07:11 POST /v1/sandbox/execute 200 127ms
/// admin`.
///
/// @param coloured whether a terminal shows it that has colours
record TextEncoder(boolean coloured, ZoneId zone) implements LogFormat {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

    @Override
    public String line(ILoggingEvent event, UnaryOperator<String> redaction) {
        var line = head(event.getTimeStamp(), event.getLevel());
        var thrown = event.getThrowableProxy();
        var fields = fields(event);
        if (fields != null) {
            fields.describe(line);
        } else {
            var message = event.getFormattedMessage();
            line.word(thrown == null ? message : redaction.apply(message), tone(event.getLevel()));
        }
        return thrown == null
                ? line.end()
                : line.endWith(redaction.apply(ThrowableProxyUtil.asString(thrown)));
    }

    @Override
    public String dropped(long lines) {
        return head(System.currentTimeMillis(), Level.WARN)
                .word(lines + " log lines were dropped because they came too fast", Tone.NOTABLE)
                .end();
    }

    private TextLine head(long millis, Level level) {
        var time = TIME.format(Instant.ofEpochMilli(millis).atZone(zone));
        var line = new TextLine(coloured).word(time, Tone.FAINT);
        return level.equals(Level.INFO) ? line : line.word(level.toString(), tone(level));
    }

    private static Tone tone(Level level) {
        return switch (level.toInt()) {
            case Level.ERROR_INT -> Tone.BAD;
            case Level.WARN_INT -> Tone.NOTABLE;
            case Level.DEBUG_INT, Level.TRACE_INT -> Tone.FAINT;
            default -> Tone.PLAIN;
        };
    }

    private static @Nullable LogFields fields(ILoggingEvent event) {
        var arguments = event.getArgumentArray();
        if (arguments != null) {
            for (var argument : arguments) {
                if (argument instanceof LogFields fields) {
                    return fields;
                }
            }
        }
        return null;
    }
}
