package dev.caisson;

import dev.caisson.call.Revocations;
import dev.caisson.cli.CommandFailed;
import dev.caisson.cli.KeyDesk;
import dev.caisson.cli.Product;
import dev.caisson.config.Config;
import dev.caisson.config.Given;
import dev.caisson.config.Sources;
import dev.caisson.json.Json;
import dev.caisson.storage.ThreadRegistry;
import dev.caisson.telemetry.Logs;
import dev.caisson.telemetry.Metrics;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.event.Level;

/// What the commands do.
final class Commands implements Product {
    /// How long a stop may take at most.
    private static final Duration STOP_MAX = Duration.ofSeconds(60);

    private final Clock clock;

    Commands(Clock clock) {
        this.clock = clock;
    }

    @Override
    public Sources sources(Optional<Path> file, List<Given> flags) {
        return Sources.ofProcess(file, flags);
    }

    @Override
    public int serve(Config config, PrintWriter out) throws Exception {
        Logs.level(Level.valueOf(config.log().level().toUpperCase(Locale.ROOT)));
        var server = listening(config, core(config));
        var url = Greeting.url(config.http(), server.address());
        var auth = config.auth().enabled();
        var shown = FirstKey.make(server::makeFirstKey, config.data().directory(), kept());
        out.println(Greeting.of(url, shown.key(), auth, server.hasConsole()));
        shown.words().ifPresent(words -> out.println("\n" + words));
        Greeting.shortToken(config.auth()).ifPresent(words -> out.println("\n" + words));
        out.println();
        out.println(Greeting.programs(server.workshop()));
        out.println("Data is kept in " + config.data().directory().toAbsolutePath() + ".");
        closeWhenTold(server);
        new CountDownLatch(1).await();
        return OK;
    }

    /// Where what we print goes to.
    private static FirstKey.Output kept() {
        return FirstKey.Output.of(System.getenv(), Path.of("/proc/self/fd/1"), System.console());
    }

    @Override
    public int stdio(Config config) throws Exception {
        Logs.level(Level.valueOf(config.log().level().toUpperCase(Locale.ROOT)));
        try (var core = core(config)) {
            Hangup.onSignal(core::reload);
            core.mcp().stdio(core.localUser(), System.in, System.out);
            return OK;
        }
    }

    @Override
    public int doctor(Config config, boolean json, PrintWriter out) throws Exception {
        quietly();
        try (var workers = RoomSettings.workers(config.shares());
                var workshop =
                        usable(
                                config,
                                () ->
                                        new Workshop(
                                                config,
                                                new Metrics(),
                                                new Revocations(),
                                                workers,
                                                ThreadRegistry.NONE))) {
            var report = workshop.examine();
            out.println(json ? Json.pretty(report.json()) : report.table());
            out.flush();
            return report.healthy() ? OK : FAILED;
        }
    }

    @Override
    public KeyDesk keys(Config config) throws CommandFailed {
        return usable(config, () -> new StoredKeyDesk(config, clock));
    }

    @Override
    public int verifyLedger(Config config, Optional<String> head, boolean json, PrintWriter out)
            throws CommandFailed {
        quietly();
        return Upkeep.verify(config.data(), head, json, out);
    }

    @Override
    public int exportLedger(Config config, PrintWriter out) throws CommandFailed, IOException {
        quietly();
        return Upkeep.export(config.data(), out);
    }

    @Override
    public int listThreads(Config config, boolean json, PrintWriter out)
            throws IOException, InterruptedException {
        quietly();
        return new ThreadInspection(config).list(json, out);
    }

    @Override
    public int listFiles(Config config, String thread, String path, boolean json, PrintWriter out)
            throws IOException, InterruptedException {
        quietly();
        return new ThreadInspection(config).files(thread, path, json, out);
    }

    @Override
    public int printFile(Config config, String thread, String path)
            throws IOException, InterruptedException {
        quietly();
        return new ThreadInspection(config).print(thread, path, System.out);
    }

    @Override
    public int backup(Config config, Path target, Duration wait, boolean json, PrintWriter out)
            throws CommandFailed, InterruptedException {
        quietly();
        return Upkeep.backup(config.data(), target, wait, json, out);
    }

    @Override
    public int restore(
            Config config, Path backup, boolean incomplete, boolean json, PrintWriter out)
            throws InterruptedException {
        quietly();
        return Upkeep.restore(config.data(), backup, incomplete, json, out);
    }

    private static void quietly() {
        Logs.level(Level.WARN);
    }

    private Core core(Config config) throws CommandFailed {
        return usable(config, () -> Core.open(config, clock));
    }

    private static Server listening(Config config, Core core) throws Exception {
        try {
            return Server.start(config, core);
        } catch (IOException _) {
            throw new CommandFailed(
                    "Cannot listen on %s port %d: it is taken, or not an address of this machine. Choose another with --port or --host."
                            .formatted(config.http().host(), config.http().port()));
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

    /// Something that is kept in the data directory.
    private interface Opening<T> {
        T open() throws IOException;
    }

    private static <T> T usable(Config config, Opening<T> opening) throws CommandFailed {
        try {
            return opening.open();
        } catch (IOException failure) {
            throw unusable(config, failure);
        } catch (UncheckedIOException failure) {
            throw unusable(config, failure);
        }
    }

    /// @param failure the message of the innermost exception says which file, and its type what is
    ///   wrong with it
    private static CommandFailed unusable(Config config, Exception failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return new CommandFailed(
                "Cannot use the data directory %s (%s: %s). Choose another with --data."
                        .formatted(
                                config.data().directory(),
                                cause.getClass().getSimpleName(),
                                cause.getMessage()));
    }

    /// On SIGTERM and SIGINT: ends the server properly, then the process with 0. Without the last
    /// step the machine would report the signal as a failure.
    private static void closeWhenTold(Server server) {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    haltAfter(STOP_MAX);
                                    server.close();
                                    Runtime.getRuntime().halt(OK);
                                },
                                "stop"));
    }

    /// What does not end in time is ended. Everything acknowledged is durable, so nothing is lost.
    private static void haltAfter(Duration time) {
        Thread.ofPlatform()
                .daemon()
                .name("stop-limit")
                .start(() -> {
                    try {
                        Thread.sleep(time);
                    } catch (InterruptedException _) {
                        Thread.currentThread().interrupt();
                    }
                    Runtime.getRuntime().halt(OK);
                });
    }
}
