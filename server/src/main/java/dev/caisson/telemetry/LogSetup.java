package dev.caisson.telemetry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.List;

/// The whole set-up of the log, found by the logging library itself at its first use: lines on
/// standard error, because standard output belongs to the protocol when the server speaks stdio.
public final class LogSetup extends ContextAwareBase implements Configurator {
    /// Libraries whose everyday news nobody needs.
    private static final List<String> QUIET = List.of("org.eclipse.jetty", "com.zaxxer.hikari");

    /// Those whose warnings are advice to us and not to whoever runs the server.
    private static final List<String> SILENT = List.of("org.flywaydb", "com.networknt");

    static final String APPENDER = "stderr";

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        var appender =
                new LogAppender(
                        new FileOutputStream(FileDescriptor.err),
                        Logs.format(LogSettings.Format.AUTO));
        appender.setContext(context);
        appender.setName(APPENDER);
        appender.start();
        Runtime.getRuntime().addShutdownHook(new Thread(appender::writeDirectly, "log-flush"));
        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        root.addAppender(appender);
        QUIET.forEach(name -> context.getLogger(name).setLevel(Level.WARN));
        SILENT.forEach(name -> context.getLogger(name).setLevel(Level.ERROR));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
