package dev.caisson.acceptance;

import dev.caisson.acceptance.fixture.Fixture;
import dev.caisson.acceptance.transcript.Subject;
import dev.caisson.call.Caller;
import dev.caisson.http.HttpLimits;
import dev.caisson.http.HttpSettings;
import dev.caisson.http.Listener;
import dev.caisson.http.Routes;
import dev.caisson.identity.Gate;
import dev.caisson.identity.OpenGate;
import dev.caisson.mcp.McpLimits;
import dev.caisson.mcp.McpServer;
import dev.caisson.mcp.ServerInfo;
import dev.caisson.share.Part;
import dev.caisson.share.Workers;
import dev.caisson.store.Store;
import dev.caisson.telemetry.Faults;
import dev.caisson.telemetry.Logs;
import dev.caisson.telemetry.Metrics;
import dev.caisson.workflow.StoredProcesses;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import org.slf4j.event.Level;

/// The product's own engine, listener to store, with the fixture's tools instead of the product's.
public final class Engine implements Subject, AutoCloseable {
    /// What differs between the servers the tests need.
    ///
    /// @param keys whether a key is asked for
    public record Setting(boolean keys, HttpLimits http, McpLimits mcp) {
        /// For everybody on this machine.
        public static final Setting OPEN =
                new Setting(false, HttpLimits.DEFAULT, McpLimits.DEFAULT);

        public static final Setting KEYS = new Setting(true, HttpLimits.DEFAULT, McpLimits.DEFAULT);

        /// With limits a short transcript can reach.
        public static final Setting SMALL =
                new Setting(
                        false,
                        HttpLimits.DEFAULT.withBodyBytesMax(64 << 10).withHeaderBytesMax(8 << 10),
                        McpLimits.DEFAULT.withPageSize(10));
    }

    private static final ServerInfo INFO =
            new ServerInfo(
                    "caisson", "Caisson", "0.1.0", "Everything here is a fixture of a test.");
    private static final byte[] SECRET =
            "a secret of the tests, thirty-two".getBytes(StandardCharsets.UTF_8);

    private final Path directory;
    private final Store store;
    private final Optional<Keyring> keyring;
    private final Workers workers;
    private final McpServer mcp;
    private final Listener listener;

    private Engine(Setting setting, int port) throws IOException {
        Logs.level(Level.ERROR);
        directory = Files.createTempDirectory("caisson-acceptance-");
        store = Store.open(directory.resolve("caisson.db"));
        keyring = setting.keys() ? Optional.of(Keyring.in(store)) : Optional.empty();
        Gate gate = keyring.<Gate>map(Keyring::gate).orElseGet(OpenGate::new);
        var metrics = new Metrics();
        var faults = new Faults(metrics);
        workers = new Workers(2, Part.DEFAULT, Thread.ofPlatform().daemon().factory());
        mcp =
                new McpServer(
                        new Fixture(metrics).broker(),
                        new StoredProcesses(store, Clock.systemUTC()),
                        gate,
                        SECRET,
                        INFO,
                        setting.mcp(),
                        faults,
                        metrics,
                        workers,
                        Clock.systemUTC());
        var routes =
                Routes.builder()
                        .exact("/mcp", mcp.mcp())
                        .exact("/mcp/events", mcp.events())
                        .exact("/sse", mcp.sse())
                        .exact("/message", mcp.message())
                        .build();
        listener =
                new Listener(
                        HttpSettings.loopback(port).with(setting.http()), routes, metrics, faults);
        listener.onStop(mcp::endStreams);
    }

    public static Engine start(Setting setting) {
        return start(setting, 0);
    }

    /// @param port 0 takes any free one
    public static Engine start(Setting setting, int port) {
        try {
            var engine = new Engine(setting, port);
            engine.listener.start();
            return engine;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException("the engine did not start", e);
        }
    }

    @Override
    public int port() {
        return listener.port();
    }

    /// By the name the suites want to see.
    public URI endpoint() {
        return URI.create("http://localhost:" + port() + "/mcp");
    }

    /// Serves one client over a pair of streams, as the local user.
    public void stdio(InputStream in, OutputStream out) throws IOException, InterruptedException {
        mcp.stdio(Caller.LOCAL, in, out);
    }

    @Override
    public String key(String name) {
        return keyring.map(ring -> ring.secret(name)).orElse("none-needed");
    }

    @Override
    public void close() {
        listener.stop(Duration.ofSeconds(1));
        mcp.close();
        workers.close();
        store.close();
        try (var files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(Engine::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
