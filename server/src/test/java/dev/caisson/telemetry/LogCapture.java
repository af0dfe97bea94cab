package dev.caisson.telemetry;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.Logger;
import java.io.ByteArrayOutputStream;
import org.slf4j.LoggerFactory;

/// Collects everything that is logged while it is open.
public final class LogCapture implements AutoCloseable {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final LogAppender appender = new LogAppender(bytes);
    private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);

    public LogCapture() {
        appender.setContext(root.getLoggerContext());
        appender.start();
        appender.writeDirectly();
        root.addAppender(appender);
    }

    public String text() {
        return bytes.toString(UTF_8);
    }

    @Override
    public void close() {
        root.detachAppender(appender);
        appender.stop();
    }
}
