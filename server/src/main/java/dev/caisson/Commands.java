package dev.caisson;

import dev.caisson.call.Caller;
import dev.caisson.cli.CommandFailed;
import dev.caisson.cli.KeyDesk;
import dev.caisson.cli.Product;
import dev.caisson.config.Config;
import dev.caisson.json.Json;
import dev.caisson.telemetry.Logs;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.slf4j.event.Level;

/// What the commands do.
final class Commands implements Product {
    private final Clock clock;

    Commands(Clock clock) {
        this.clock = clock;
    }

    @Override
    public int serve(Config config, PrintWriter out) throws Exception {
        Logs.level(Level.valueOf(config.log().level().toUpperCase(Locale.ROOT)));
        var server = listening(config);
        out.println(Greeting.of(server.address(), server.makeFirstKey(), config.auth().enabled()));
        closeWhenTold(server);
        new CountDownLatch(1).await();
        return OK;
    }

    @Override
    public int stdio(Config config) throws Exception {
        try (var core = new Core(config, clock)) {
            core.mcp().stdio(Caller.LOCAL, System.in, System.out);
            return OK;
        } catch (UncheckedIOException failure) {
            throw unusable(config, failure);
        }
    }

    @Override
    public int doctor(Config config, boolean json, PrintWriter out) throws Exception {
        Logs.level(Level.WARN);
        try (var workshop = new Workshop(config)) {
            var report = workshop.examine();
            out.println(json ? Json.pretty(report.json()) : report.table());
            out.flush();
            return report.healthy() ? OK : FAILED;
        } catch (UncheckedIOException failure) {
            throw unusable(config, failure);
        }
    }

    @Override
    public KeyDesk keys(Config config) throws CommandFailed {
        try {
            return new StoredKeyDesk(config.data(), clock);
        } catch (UncheckedIOException failure) {
            throw unusable(config, failure);
        }
    }

    private Server listening(Config config) throws Exception {
        try {
            return Server.start(config, clock);
        } catch (IOException _) {
            throw new CommandFailed(
                    "Cannot listen on %s port %d: it is taken, or not an address of this machine. Choose another with --port or --host."
                            .formatted(config.http().host(), config.http().port()));
        } catch (UncheckedIOException failure) {
            throw unusable(config, failure);
        } catch (IllegalArgumentException failure) {
            if (config.http().tls()) {
                throw new CommandFailed(
                        "TLS cannot be used: "
                                + failure.getMessage()
                                + ". Correct http.tls_certificate and http.tls_key.");
            }
            throw failure;
        }
    }

    private static CommandFailed unusable(Config config, UncheckedIOException failure) {
        return new CommandFailed(
                "Cannot use the data directory %s (%s). Choose another with --data."
                        .formatted(config.data().directory(), failure.getMessage()));
    }

    /// On SIGTERM and SIGINT: ends the server properly, then the process with 0. Without the last
    /// step the machine would report the signal as a failure.
    private static void closeWhenTold(Server server) {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    server.close();
                                    Runtime.getRuntime().halt(OK);
                                },
                                "stop"));
    }
}
