package dev.caisson.telemetry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/// How much is logged.
public enum Logs {
    ERROR(Level.ERROR),
    WARN(Level.WARN),
    INFO(Level.INFO),
    DEBUG(Level.DEBUG);

    private final Level level;

    Logs(Level level) {
        this.level = level;
    }

    /// Makes this the level of everything of ours. The lines of single calls are `INFO`.
    public void use() {
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(level);
    }
}
