package dev.caisson.http;

import dev.caisson.telemetry.Faults;
import dev.caisson.telemetry.Metrics;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The server's door: takes requests from the network and gives each to its handler, on a virtual
/// thread of its own.
public final class Listener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

    /// How long requests in flight have when nobody says otherwise.
    private static final Duration DRAIN = Duration.ofSeconds(10);

    /// How long the readers of streams have to take the end of them.
    private static final Duration STREAM_END = Duration.ofSeconds(2);

    /// How long handlers have that were interrupted.
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(2);

    private static final Duration LOOK_FOR_DEPARTURES = Duration.ofSeconds(1);

    private static final int THREADS_MAX = 16;

    private final HttpSettings settings;
    private final Traffic traffic;
    private final ExecutorService handlers =
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("request-", 0).factory());
    private final Server server = new Server(threads(), null, Wiring.buffers());
    private final ServerConnector connector;
    private final ScheduledExecutorService departures =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("http-departures").daemon().factory());
    private final List<Runnable> stopHooks = new CopyOnWriteArrayList<>();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private volatile int port;

    public Listener(HttpSettings settings, Routes routes, Metrics metrics, Faults faults) {
        this.settings = settings;
        var access = settings.access();
        var clients = new ClientAddress(access.trustedProxies());
        traffic = new Traffic(settings.limits(), clients, metrics);
        connector = Wiring.connector(server, settings, traffic.connections());
        server.addConnector(connector);
        server.addBean(new SlowHeads(connector, settings.limits()));
        server.setErrorHandler(new Breakage(traffic, faults));
        server.setHandler(
                new Entrance(
                        routes,
                        new Gatekeeper(settings.host(), access),
                        traffic,
                        faults,
                        settings.resourceMetadata(),
                        handlers));
    }

    /// Starts to listen. Handlers may be called before this returns.
    ///
    /// @throws java.io.IOException when the address is taken or not ours
    public void start() throws Exception {
        server.start();
        long every = LOOK_FOR_DEPARTURES.toMillis();
        var _ =
                departures.scheduleWithFixedDelay(
                        this::lookForDepartures, every, every, TimeUnit.MILLISECONDS);
        port = connector.getLocalPort();
    }

    private void lookForDepartures() {
        try {
            traffic.lookForDepartures();
        } catch (RuntimeException failure) {
            LOG.warn("looking for clients that left failed", failure);
        }
    }

    public int port() {
        return port;
    }

    /// Such as `http://127.0.0.1:8080`, without a slash at its end.
    public URI address() {
        var host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
        return URI.create(
                (settings.tls().isPresent() ? "https" : "http") + "://" + host + ":" + port);
    }

    /// Runs when the listener stops, before anything is closed: the place to end streams with their
    /// last words.
    public void onStop(Runnable hook) {
        stopHooks.add(hook);
    }

    @Override
    public void close() {
        stop(DRAIN);
    }

    /// Accepts nothing more, lets the requests in flight finish within the time given, ends the
    /// streams, and closes everything. A second call does nothing.
    public void stop(Duration drain) {
        stop(drain, STREAM_END);
    }

    /// @param streamEnd how long the readers of streams have to take the end of them
    void stop(Duration drain, Duration streamEnd) {
        if (!stopped.compareAndSet(false, true)) {
            return;
        }
        departures.shutdownNow();
        LOG.info("stopping; requests in flight have {} s", drain.toSeconds());
        traffic.stopping();
        // Completes when all connections are idle, which is waited for in other ways below.
        var _ = connector.shutdown();
        try {
            stopHooks.forEach(Runnable::run);
        } finally {
            endTraffic(drain, streamEnd);
            handlers.shutdownNow();
            awaitLastAnswers();
            stopServer();
        }
    }

    /// An interrupted handler still has to answer its client.
    private void awaitLastAnswers() {
        try {
            var _ = handlers.awaitTermination(LAST_ANSWERS.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void endTraffic(Duration drain, Duration streamEnd) {
        try {
            traffic.awaitRequests(drain);
            traffic.endStreams(streamEnd);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void stopServer() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the HTTP server did not stop", e);
        }
    }

    /// What Jetty itself does waits for nobody and has threads of the platform, so that it goes on
    /// whatever handlers do.
    private static QueuedThreadPool threads() {
        var threads = new QueuedThreadPool(THREADS_MAX, 2);
        threads.setName("http");
        return threads;
    }
}
