package dev.caisson.telemetry;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.ByteArrayOutputStream;
import org.slf4j.LoggerFactory;

/// Collects everything of level `INFO` and above that is logged while it is open, whatever level a
/// command of the same JVM has set.
public final class LogCapture implements AutoCloseable {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final LogAppender appender = new LogAppender(bytes, LogFormat.JSON);
    private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    private final Level before = root.getLevel();

    public LogCapture() {
        appender.setContext(root.getLoggerContext());
        appender.start();
        appender.writeDirectly();
        root.addAppender(appender);
        root.setLevel(Level.INFO);
    }

    public String text() {
        return bytes.toString(UTF_8);
    }

    @Override
    public void close() {
        root.setLevel(before);
        root.detachAppender(appender);
        appender.stop();
    }
}
