package dev.caisson;

import dev.caisson.call.Revocations;
import dev.caisson.cli.ApprovalAdmin;
import dev.caisson.cli.CallAdmin;
import dev.caisson.cli.CommandFailed;
import dev.caisson.cli.EnvironmentAdmin;
import dev.caisson.cli.KeyAdmin;
import dev.caisson.cli.PackageInstaller;
import dev.caisson.cli.PolicyAdmin;
import dev.caisson.cli.Product;
import dev.caisson.cli.ProfileAdmin;
import dev.caisson.cli.SecretAdmin;
import dev.caisson.cli.UpstreamAdmin;
import dev.caisson.config.Effective;
import dev.caisson.config.Given;
import dev.caisson.config.Mistakes;
import dev.caisson.config.Sources;
import dev.caisson.http.BoundPort;
import dev.caisson.json.Json;
import dev.caisson.storage.ThreadRegistry;
import dev.caisson.telemetry.Logs;
import dev.caisson.telemetry.Metrics;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.event.Level;

/// Work of the commands that serve: `serve`, `stdio`, `doctor`, `config` and those for keys.
final class Commands implements Product {
    private final Clock clock;

    Commands(Clock clock) {
        this.clock = clock;
    }

    @Override
    public Effective configuration(Optional<Path> file, List<Given> flags) throws Mistakes {
        return Effective.read(Config.class, Sources.ofProcess(file, flags));
    }

    @Override
    public int serve(Effective effective, PrintWriter out) throws Exception {
        var config = Config.of(effective);
        Logs.configure(config.log());
        var server = listening(config);
        var url = StartBanner.url(config.http(), server.address());
        var auth = config.auth().enabled();
        var shown = FirstKey.make(server::makeFirstKey, config.data().directory(), kept());
        var client = shown.key().map(_ -> server.makeClientKey());
        // On a terminal both are on one screen: what was logged before stands before.
        Logs.flush();
        out.println(StartBanner.of(url, shown.key(), client, auth, server.hasConsole()));
        shown.words().ifPresent(words -> out.println("\n" + words));
        StartBanner.shortToken(config.auth()).ifPresent(words -> out.println("\n" + words));
        out.println();
        out.println(StartBanner.programs(server.core.services.sandboxes));
        out.println(StartBanner.data(config.data().directory(), server.core.leads));
        closeWhenTold(server);
        server.core.bakeFirst().ifPresent(out::println);
        out.flush();
        new CountDownLatch(1).await();
        return OK;
    }

    /// Where what we print goes to.
    private static FirstKey.Output kept() {
        return FirstKey.Output.of(System.getenv(), Path.of("/proc/self/fd/1"), System.console());
    }

    @Override
    public int stdio(Effective effective) throws Exception {
        var config = Config.of(effective);
        Logs.configure(config.log());
        try (var core = core(config)) {
            SighupHandler.onSignal(core::reload);
            core.bakeFirst();
            core.mcp.stdio(core.localUser, System.in, System.out);
            return OK;
        }
    }

    @Override
    public int doctor(Effective effective, boolean json, PrintWriter out) throws Exception {
        var config = Config.of(effective);
        quietly();
        try (var workers = HostSettings.workers(config.shares());
                var stop = new StopPlan()) {
            var services =
                    usable(
                            config,
                            () ->
                                    new RunServices(
                                            config,
                                            new Metrics(),
                                            new Revocations(),
                                            workers,
                                            ThreadRegistry.NONE,
                                            (_, _) -> Optional.empty(),
                                            stop));
            var report = services.examine();
            out.println(json ? Json.pretty(report.json()) : report.table());
            out.flush();
            return report.healthy() ? OK : FAILED;
        }
    }

    @Override
    public KeyAdmin keys(Effective effective) throws CommandFailed {
        var config = Config.of(effective);
        quietly();
        requireNoFile(config.data().directory());
        OfflineCommands.requireThere(config.data());
        return usable(config, () -> new StoredKeyAdmin(config, clock));
    }

    @Override
    public KeyAdmin keysMade(Effective effective) throws CommandFailed {
        var config = Config.of(effective);
        quietly();
        return usable(config, () -> new StoredKeyAdmin(config, clock));
    }

    @Override
    public ProfileAdmin profiles(Effective effective) throws CommandFailed {
        var config = Config.of(effective);
        return usable(config, () -> new StoredProfileAdmin(config, clock));
    }

    @Override
    public UpstreamAdmin upstreams(Effective effective) throws CommandFailed {
        var config = Config.of(effective);
        quietly();
        return usable(config, () -> new StoredUpstreamAdmin(config, clock));
    }

    @Override
    public PolicyAdmin policy(Effective effective) throws CommandFailed {
        var config = Config.of(effective);
        quietly();
        return usable(config, () -> new StoredPolicyAdmin(config, clock));
    }

    @Override
    public PackageInstaller packages(Effective effective) throws CommandFailed {
        var config = Config.of(effective);
        quietly();
        return usable(config, () -> new StoredPackageInstaller(config, clock));
    }

    @Override
    public ApprovalAdmin approvals(Effective effective) throws CommandFailed {
        var config = Config.of(effective);
        quietly();
        return usable(config, () -> new StoredApprovalAdmin(config, clock));
    }

    @Override
    public CallAdmin calls(Effective effective) throws CommandFailed {
        var config = Config.of(effective);
        quietly();
        return usable(config, () -> new StoredCallAdmin(config, clock));
    }

    @Override
    public SecretAdmin secrets(Effective effective) throws CommandFailed {
        var config = Config.of(effective);
        quietly();
        return usable(config, () -> new StoredSecretAdmin(config, clock));
    }

    @Override
    public EnvironmentAdmin environments(Effective effective) throws CommandFailed {
        quietly();
        return new StoredEnvironmentAdmin(core(Config.of(effective)));
    }

    @Override
    public int verifyLedger(
            Effective effective, Optional<String> head, boolean json, PrintWriter out)
            throws CommandFailed {
        var config = Config.of(effective);
        quietly();
        return OfflineCommands.verify(config.data(), head, json, out);
    }

    @Override
    public int exportLedger(Effective effective, PrintWriter out)
            throws CommandFailed, IOException {
        var config = Config.of(effective);
        quietly();
        return OfflineCommands.export(config.data(), out);
    }

    @Override
    public int listThreads(Effective effective, boolean json, PrintWriter out)
            throws IOException, InterruptedException {
        var config = Config.of(effective);
        quietly();
        return new ThreadInspection(config).list(json, out);
    }

    @Override
    public int listFiles(
            Effective effective, String thread, String path, boolean json, PrintWriter out)
            throws IOException, InterruptedException {
        var config = Config.of(effective);
        quietly();
        return new ThreadInspection(config).files(thread, path, json, out);
    }

    @Override
    public int printFile(Effective effective, String thread, String path)
            throws IOException, InterruptedException {
        var config = Config.of(effective);
        quietly();
        return new ThreadInspection(config).print(thread, path, System.out);
    }

    @Override
    public int backup(
            Effective effective, Path target, Duration wait, boolean json, PrintWriter out)
            throws CommandFailed, InterruptedException {
        var config = Config.of(effective);
        quietly();
        return OfflineCommands.backup(config.data(), target, wait, json, out);
    }

    @Override
    public int restore(
            Effective effective, Path backup, boolean incomplete, boolean json, PrintWriter out)
            throws InterruptedException {
        var config = Config.of(effective);
        quietly();
        return OfflineCommands.restore(config.data(), backup, incomplete, json, out);
    }

    private static void quietly() {
        Logs.level(Level.WARN);
    }

    private Core core(Config config) throws CommandFailed {
        return usable(config, () -> Core.open(config, clock));
    }

    /// The port is bound before anything is made: one that is taken leaves no trace.
    private Server listening(Config config) throws Exception {
        var bound = bound(config);
        try {
            return Server.start(config, core(config), bound);
        } catch (IllegalArgumentException failure) {
            if (config.http().tls().isOn()) {
                throw new CommandFailed(
                        "TLS cannot be used: "
                                + failure.getMessage()
                                + ". Correct http.tls_certificate and http.tls_key.");
            }
            throw failure;
        } catch (CommandFailed failure) {
            bound.close();
            throw failure;
        }
    }

    private static BoundPort bound(Config config) throws CommandFailed {
        try {
            return BoundPort.bind(config.http());
        } catch (IOException _) {
            throw new CommandFailed(
                    "Cannot listen on %s port %d: it is taken, or not an address of this machine. Choose another with --port or --host."
                            .formatted(config.http().host(), config.http().port()));
        }
    }

    /// Something that is kept in the data directory.
    private interface Opening<T> {
        T open() throws IOException;
    }

    private static <T> T usable(Config config, Opening<T> opening) throws CommandFailed {
        requireNoFile(config.data().directory());
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

    private static void requireNoFile(Path directory) throws CommandFailed {
        var file = fileOn(directory);
        if (file.isPresent()) {
            throw new CommandFailed(
                    "Cannot use the data directory %s: %s is a file, not a directory. Choose another with --data."
                            .formatted(directory, file.get()));
        }
    }

    /// The file that stands where the directory, or one above it, would be.
    private static Optional<Path> fileOn(Path directory) {
        for (var path = directory.toAbsolutePath(); path != null; path = path.getParent()) {
            if (Files.exists(path)) {
                return Files.isDirectory(path) ? Optional.empty() : Optional.of(path);
            }
        }
        return Optional.empty();
    }

    /// On SIGTERM and SIGINT: ends the server properly, then the process with 0. Without the last
    /// step the machine would report the signal as a failure.
    private static void closeWhenTold(Server server) {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    haltAfter(StopStep.whole());
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
