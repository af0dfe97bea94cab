package dev.caisson.http;

import dev.caisson.call.BoundedClose;
import dev.caisson.share.MixedThreads;
import dev.caisson.telemetry.Faults;
import dev.caisson.telemetry.Metrics;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// HTTP listener: takes requests from the network and gives each to its handler, on a thread of its
/// own.
public final class Listener implements BoundedClose {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

    private static final Duration LOOK_FOR_DEPARTURES = Duration.ofSeconds(1);

    private static final int THREADS_MAX = 16;

    private final HttpSettings settings;
    private final OpenExchanges traffic;
    private final MixedThreads handlers = new MixedThreads("request-");
    private final Server server = new Server(threads(), null, JettySetup.buffers());
    private final ServerConnector connector;
    private final ScheduledExecutorService departures =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("http-departures").daemon().factory());
    private final List<Runnable> stopHooks = new CopyOnWriteArrayList<>();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private volatile int port;

    /// Whose callers have keys alone.
    public Listener(HttpSettings settings, Routes routes, Metrics metrics, Faults faults) {
        this(settings, routes, metrics, faults, Optional.empty());
    }

    /// @param tokens where clients find the server whose tokens are taken beside keys
    public Listener(
            HttpSettings settings,
            Routes routes,
            Metrics metrics,
            Faults faults,
            Optional<TokenResource> tokens) {
        this.settings = settings;
        var challenges = new Challenges(tokens);
        var access = settings.access();
        var clients = new ClientAddress(access.trustedProxies());
        traffic = new OpenExchanges(settings.limits(), clients, metrics, challenges);
        connector = JettySetup.connector(server, settings, traffic.connections());
        server.addConnector(connector);
        server.addBean(new SlowRequestHeads(connector, settings.limits()));
        server.setErrorHandler(new ProtocolErrors(traffic, faults));
        server.setHandler(
                new EntryHandler(
                        routes,
                        new HostCheck(settings.host(), access),
                        traffic,
                        faults,
                        challenges,
                        handlers));
    }

    /// Starts to listen. Handlers may be called before this returns.
    ///
    /// @throws java.io.IOException when the address is taken or not ours
    public void start() throws Exception {
        start(BoundPort.bind(settings));
    }

    /// The same at a port that is bound already.
    public void start(BoundPort bound) throws Exception {
        connector.open(bound.channel());
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
            LOG.warn("the check for disconnected clients failed", failure);
        }
    }

    public int port() {
        return port;
    }

    /// Such as `http://127.0.0.1:8080`, without a slash at its end.
    public URI address() {
        var host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
        return URI.create((settings.tls().isOn() ? "https" : "http") + "://" + host + ":" + port);
    }

    /// Runs when the listener stops, before anything is closed: the place to end streams with their
    /// last words.
    public void onStop(Runnable hook) {
        stopHooks.add(hook);
    }

    /// All steps of a stop, one after another: requests in flight have the time given, and what
    /// follows a fifth of it.
    @Override
    public void close(Duration atMost) {
        var after = atMost.dividedBy(5);
        stop(atMost, after);
    }

    void stop(Duration drain, Duration after) {
        try {
            stopAccepting();
        } finally {
            awaitRequests(drain);
            endStreams(after);
            end(after);
        }
    }

    /// First step of a stop: accepts nothing more, and has the hooks say the last words of streams.
    public void stopAccepting() {
        if (!stopped.compareAndSet(false, true)) {
            return;
        }
        departures.shutdownNow();
        LOG.info("stopping");
        traffic.stopping();
        // Completes when all connections are idle, which is waited for in other ways below.
        var _ = connector.shutdown();
        stopHooks.forEach(Runnable::run);
    }

    /// Second step of a stop: lets the requests in flight finish within the time given.
    public void awaitRequests(Duration atMost) {
        try {
            traffic.awaitRequests(atMost);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Third step of a stop: ends the streams, whose readers have the time given to take the rest.
    public void endStreams(Duration atMost) {
        try {
            traffic.endStreams(atMost);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Last step of a stop: interrupts the handlers, which still have the time given to answer
    /// their clients, and closes everything.
    public void end(Duration atMost) {
        handlers.shutdownNow();
        try {
            var _ = handlers.awaitEnd(atMost);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        stopServer();
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
