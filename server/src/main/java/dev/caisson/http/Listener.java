package dev.caisson.http;

import dev.caisson.telemetry.Faults;
import dev.caisson.telemetry.Metrics;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/// The server's door: takes requests from the network and gives each to its handler.
public final class Listener implements AutoCloseable {
    private static final Duration DRAIN = Duration.ofSeconds(10);

    private final HttpSettings settings;
    private final Traffic traffic;
    private final Server server;
    private final ServerConnector connector;
    private final List<Runnable> stopHooks = new CopyOnWriteArrayList<>();

    public Listener(HttpSettings settings, Routes routes, Metrics metrics, Faults faults) {
        this.settings = settings;
        var access = settings.access();
        traffic =
                new Traffic(settings.limits(), new ClientAddress(access.trustedProxies()), metrics);
        server = new Server(threads());
        connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(configuration()));
        connector.setHost(settings.host());
        connector.setPort(settings.port());
        connector.setAcceptQueueSize(4096);
        connector.setIdleTimeout(settings.limits().idleTime().toMillis());
        server.addConnector(connector);
        server.setHandler(
                new Entrance(
                        routes,
                        new Gatekeeper(settings.host(), access),
                        traffic,
                        faults,
                        settings.resourceMetadata()));
    }

    /// Starts to listen. Handlers may be called before this returns.
    public void start() throws Exception {
        server.start();
    }

    public int port() {
        return connector.getLocalPort();
    }

    /// Such as `http://127.0.0.1:8080`, without a slash at its end.
    public URI address() {
        var host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
        return URI.create("http://" + host + ":" + port());
    }

    /// Runs when the listener stops, before anything is closed: the place to end streams properly.
    public void onStop(Runnable hook) {
        stopHooks.add(hook);
    }

    @Override
    public void close() {
        stop(DRAIN);
    }

    public void stop(Duration drain) {
        traffic.stopping();
        stopHooks.forEach(Runnable::run);
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private HttpConfiguration configuration() {
        var http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(settings.limits().headerBytesMax());
        http.setUriCompliance(
                UriCompliance.DEFAULT.with(
                        "percent signs", UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING));
        return http;
    }

    private static QueuedThreadPool threads() {
        var threads = new QueuedThreadPool(16, 4);
        threads.setName("http");
        threads.setVirtualThreadsExecutor(
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("request-", 0).factory()));
        return threads;
    }
}
