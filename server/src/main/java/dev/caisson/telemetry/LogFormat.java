package dev.caisson.telemetry;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Form of the lines of the log: JSON for machines, or short text for people.
interface LogFormat {
    LogFormat JSON = new LogEncoder();

    /// @param redaction of what is said about a fault, which may repeat anything
    String line(ILoggingEvent event, UnaryOperator<String> redaction);

    String dropped(long lines);

    /// @param environment of this process
    /// @param stream where the log goes, such as `/proc/self/fd/2`
    static LogFormat of(LogSettings.Format wish, Map<String, String> environment, Path stream) {
        boolean terminal = isTerminal(stream);
        return switch (wish) {
            case JSON -> JSON;
            case TEXT -> text(terminal, environment);
            case AUTO -> terminal ? text(true, environment) : JSON;
        };
    }

    private static LogFormat text(boolean terminal, Map<String, String> environment) {
        boolean coloured =
                terminal
                        && environment.getOrDefault("NO_COLOR", "").isEmpty()
                        && !environment.getOrDefault("TERM", "").equals("dumb");
        return new TextEncoder(coloured, ZoneId.systemDefault());
    }

    /// What a console of the machine itself, or a window on it, is called.
    private static boolean isTerminal(Path stream) {
        try {
            var target = Files.readSymbolicLink(stream).toString();
            return List.of("/dev/pts/", "/dev/tty", "/dev/console").stream()
                    .anyMatch(target::startsWith);
        } catch (IOException unknown) {
            return false;
        }
    }
}
