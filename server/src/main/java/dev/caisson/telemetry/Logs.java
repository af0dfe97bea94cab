package dev.caisson.telemetry;

import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// How much is logged.
public final class Logs {
    private Logs() {}

    /// Sets the level of everything of ours. The lines of single calls are of level `INFO`.
    public static void level(Level level) {
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME))
                .setLevel(ch.qos.logback.classic.Level.convertAnSLF4JLevel(level));
    }
}
