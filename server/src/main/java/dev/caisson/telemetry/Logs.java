package dev.caisson.telemetry;

import ch.qos.logback.classic.Logger;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Log settings: the level, and redaction of what is logged.
public final class Logs {
    private Logs() {}

    /// Takes secrets out of what the log says about faults, until it is closed.
    public static Redacted redactedBy(UnaryOperator<String> redaction) {
        var appender = root().getAppender(LogSetup.APPENDER);
        if (appender instanceof LogAppender ours) {
            ours.redactedBy(redaction);
            return () -> ours.noMoreRedactedBy(redaction);
        }
        return () -> {};
    }

    /// While it is open the log is redacted.
    public interface Redacted extends AutoCloseable {
        @Override
        void close();
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    /// Sets level and form as the operator wants them.
    public static void configure(LogSettings settings) {
        level(settings.level());
        if (root().getAppender(LogSetup.APPENDER) instanceof LogAppender ours) {
            ours.format(format(settings.format()));
        }
    }

    /// Writes what was logged before and is not written yet.
    public static void flush() {
        if (root().getAppender(LogSetup.APPENDER) instanceof LogAppender ours) {
            ours.flush();
        }
    }

    static LogFormat format(LogSettings.Format wish) {
        return LogFormat.of(wish, System.getenv(), Path.of("/proc/self/fd/2"));
    }

    /// Sets the level of everything of ours. The lines of single calls are of level `INFO`.
    public static void level(Level level) {
        root().setLevel(ch.qos.logback.classic.Level.convertAnSLF4JLevel(level));
    }
}
