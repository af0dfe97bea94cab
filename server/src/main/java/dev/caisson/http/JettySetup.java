package dev.caisson.http;

import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/// Jetty set-up: connector, buffers, protocols.
final class JettySetup {
    /// Many clients may connect within one moment, such as after a restart.
    static final int ACCEPT_QUEUE = 4096;

    /// Jetty holds one for every request with a body until its answer is complete, so every open
    /// stream has one. Most requests fit into it; the others are read in pieces.
    private static final int INPUT_BUFFER_BYTES = 4096;

    /// Percent signs in names are fine: a path is decoded exactly once. Escaped slashes are looked
    /// at by [EntryHandler], which lets them through to the doors that take them.
    private static final UriCompliance ADDRESSES =
            UriCompliance.DEFAULT.with(
                    "Caisson",
                    UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
                    UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR);

    private JettySetup() {}

    /// What Jetty keeps of buffers that nobody uses, in bytes: outside the heap, and on it.
    private static final long DIRECT_BYTES_KEPT_MAX = 64L * 1024 * 1024;

    private static final long HEAP_BYTES_KEPT_MAX = 16L * 1024 * 1024;
    private static final int BUFFER_BYTES_STEP = 4096;
    private static final int BUFFER_BYTES_MAX = 64 * 1024;

    static ByteBufferPool buffers() {
        return new ArrayByteBufferPool(
                0,
                BUFFER_BYTES_STEP,
                BUFFER_BYTES_MAX,
                Integer.MAX_VALUE,
                HEAP_BYTES_KEPT_MAX,
                DIRECT_BYTES_KEPT_MAX);
    }

    static ServerConnector connector(
            Server server, HttpSettings settings, Connections connections) {
        var limits = settings.limits();
        var connector = new ServerConnector(server, 1, 1, protocols(settings));
        connector.setHost(settings.host());
        connector.setPort(settings.port());
        connector.setAcceptQueueSize(ACCEPT_QUEUE);
        connector.setIdleTimeout(limits.idleTime().toMillis());
        connector.setShutdownIdleTimeout(limits.idleTime().toMillis());
        connector.addBean(connections);
        return connector;
    }

    private static ConnectionFactory[] protocols(HttpSettings settings) {
        var http = new HttpConnectionFactory(configuration(settings.limits()));
        http.setInputBufferSize(INPUT_BUFFER_BYTES);
        return settings.tls().isOn()
                ? new ConnectionFactory[] {tls(settings.tls(), http), http}
                : new ConnectionFactory[] {http};
    }

    private static SslConnectionFactory tls(HttpTls tls, HttpConnectionFactory http) {
        var context = new SslContextFactory.Server();
        context.setKeyStore(Certificates.read(tls));
        context.setKeyStorePassword(new String(Certificates.PASSWORD));
        var factory = new SslConnectionFactory(context, http.getProtocol());
        // Which names are served is decided by Host, for TLS and plain alike.
        factory.setEnsureSecureRequestCustomizer(false);
        return factory;
    }

    private static HttpConfiguration configuration(HttpLimits limits) {
        var http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(limits.requests().headerBytesMax());
        http.setUriCompliance(ADDRESSES);
        return http;
    }
}
