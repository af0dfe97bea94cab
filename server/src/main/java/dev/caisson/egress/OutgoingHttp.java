package dev.caisson.egress;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one outgoing HTTP client. It connects to the very addresses that were judged, follows no
/// redirect, keeps no cookie, asks for no compression, and reads no more of an answer than its
/// request allows, nor for longer.
///
/// It starts with its first request: a server that asks nobody has no threads for it.
public final class OutgoingHttp implements AutoCloseable {
    /// All headers of an answer together.
    static final int HEADER_BYTES_MAX = 64 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(OutgoingHttp.class);
    private static final Duration CONNECT_MAX = Duration.ofSeconds(10);

    /// After which a connection without a request is closed.
    private static final Duration IDLE_MAX = Duration.ofSeconds(30);

    private static final int CONNECTIONS_MAX = 64;
    private static final int THREADS_MAX = 16;

    /// The most that [#connectingWithin] can give a connection.
    private static final Duration CONNECT_MOST = Duration.ofMinutes(2);

    private final JudgedLookup lookup;
    private final Duration connectMax;
    private final HttpClient client;
    private final Optional<OutgoingHttp> whole;
    private boolean started;
    private boolean closed;

    /// @param privateHosts names and addresses that may lead to this machine or a private network
    public OutgoingHttp(Set<String> privateHosts) {
        this(privateHosts, CONNECT_MAX);
    }

    OutgoingHttp(Set<String> privateHosts, Duration connectMax) {
        this.lookup = new JudgedLookup(privateHosts);
        this.connectMax = connectMax;
        this.client = new HttpClient(transport());
        this.whole = Optional.empty();
    }

    private OutgoingHttp(OutgoingHttp whole, Duration connectMax) {
        this.lookup = whole.lookup;
        this.connectMax = connectMax;
        this.client = whole.client;
        this.whole = Optional.of(whole);
    }

    /// The same client for requests whose connection may take another time to be made. It ends with
    /// this one.
    ///
    /// @param most up to two minutes
    public OutgoingHttp connectingWithin(Duration most) {
        return new OutgoingHttp(whole.orElse(this), most);
    }

    private HttpClientTransportOverHTTP transport() {
        var threads = new QueuedThreadPool(THREADS_MAX, 1);
        threads.setName("outgoing");
        threads.setDaemon(true);
        var connector = new ClientConnector();
        connector.setSelectors(1);
        connector.setExecutor(threads);
        return new HttpClientTransportOverHTTP(connector);
    }

    private HttpClient started() throws EgressFailure {
        return whole.orElse(this).ownStarted();
    }

    private synchronized HttpClient ownStarted() throws EgressFailure {
        if (closed) {
            throw failure(EgressFailure.Kind.UNREACHABLE, false, "the server is stopping");
        }
        if (!started) {
            configure();
            try {
                client.start();
            } catch (Exception failed) {
                throw new IllegalStateException("the outgoing client does not start", failed);
            }
            List.of("redirect", "www-authenticate", "proxy-authenticate", "upgrade")
                    .forEach(client.getProtocolHandlers()::remove);
            client.getContentDecoderFactories().clear();
            started = true;
        }
        return client;
    }

    private void configure() {
        client.setFollowRedirects(false);
        client.setHttpCookieStore(new HttpCookieStore.Empty());
        client.setUserAgentField(new HttpField(HttpHeader.USER_AGENT, "Caisson"));
        client.setMaxResponseHeadersSize(HEADER_BYTES_MAX);
        client.setMaxConnectionsPerDestination(CONNECTIONS_MAX);
        client.setConnectTimeout(CONNECT_MOST.toMillis());
        client.setIdleTimeout(IDLE_MAX.toMillis());
        client.setDestinationIdleTimeout(IDLE_MAX.toMillis());
        client.setSocketAddressResolver(this::resolve);
    }

    /// On a thread of its own: to ask for a name blocks.
    private void resolve(
            String host,
            int port,
            Map<String, Object> context,
            Promise<List<InetSocketAddress>> promise) {
        Thread.ofVirtual()
                .name("judged-name")
                .start(() -> {
                    try {
                        promise.succeeded(judged(host, port));
                    } catch (EgressFailure | RuntimeException refused) {
                        promise.failed(refused);
                    }
                });
    }

    private List<InetSocketAddress> judged(String host, int port) throws EgressFailure {
        List<InetAddress> found;
        try {
            found = lookup.addresses(host);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            found = List.of();
        }
        if (found.isEmpty()) {
            throw failure(
                    EgressFailure.Kind.REFUSED,
                    false,
                    "the host " + JudgedLookup.plain(host) + " has no address that may be reached");
        }
        return found.stream().map(address -> new InetSocketAddress(address, port)).toList();
    }

    /// Sends a request and waits for the head of its answer. To cancel, interrupt: the connection
    /// is closed then.
    public OutgoingAnswer send(OutgoingRequest request) throws EgressFailure, InterruptedException {
        var sent = new AtomicBoolean();
        var prepared = prepare(request, sent);
        var listener = new InputStreamResponseListener();
        prepared.send(listener);
        var late = client.getScheduler().schedule(() -> unlessSent(prepared, sent), connectMax);
        try {
            long wait =
                    request.deadline().map(each -> each.left().toNanos()).orElse(Long.MAX_VALUE);
            var head = listener.get(wait, TimeUnit.NANOSECONDS);
            var answer =
                    new OutgoingAnswer(prepared, head, listener.getInputStream(), request, sent);
            requirePlain(answer);
            return answer;
        } catch (InterruptedException cancelled) {
            var _ = prepared.abort(cancelled);
            throw cancelled;
        } catch (TimeoutException over) {
            var _ = prepared.abort(over);
            throw timedOut(sent.get());
        } catch (ExecutionException failed) {
            throw failure(failed.getCause(), sent.get());
        } finally {
            late.cancel();
        }
    }

    /// Bytes go out as soon as there is a connection.
    private static void unlessSent(Request prepared, AtomicBoolean sent) {
        if (!sent.get()) {
            var _ = prepared.abort(new SocketTimeoutException("no connection in time"));
        }
    }

    private static void requirePlain(OutgoingAnswer answer) throws EgressFailure {
        var encoding = answer.header("Content-Encoding").orElse("identity");
        if (!encoding.equalsIgnoreCase("identity")) {
            answer.close();
            throw failure(EgressFailure.Kind.BROKEN, true, "the answer is compressed, unasked for");
        }
    }

    private Request prepare(OutgoingRequest request, AtomicBoolean sent) throws EgressFailure {
        var prepared =
                started()
                        .newRequest(request.address())
                        .method(request.method())
                        .followRedirects(false)
                        .headers(fields -> request.headers().forEach(fields::put))
                        .onRequestHeaders(_ -> {
                            sent.set(true);
                            request.onSent().run();
                        });
        request.body()
                .ifPresent(body ->
                        prepared.body(new BytesRequestContent(body.mediaType(), body.bytes())));
        if (request.deadline().isPresent()) {
            // Jetty takes zero for no limit.
            long left = Math.max(1, request.deadline().get().left().toMillis());
            prepared.timeout(left, TimeUnit.MILLISECONDS);
            prepared.idleTimeout(left, TimeUnit.MILLISECONDS);
        } else {
            prepared.idleTimeout(0, TimeUnit.MILLISECONDS);
        }
        if (request.ownConnection()) {
            prepared.tag(new Object());
            prepared.headers(fields -> fields.put(HttpHeader.CONNECTION, "close"));
        }
        return prepared;
    }

    static EgressFailure timedOut(boolean sent) {
        return failure(EgressFailure.Kind.TIMED_OUT, sent, "no whole answer came in time");
    }

    /// What a library said is for the log alone: an address or a byte of an answer may be in it.
    static EgressFailure failure(@Nullable Throwable cause, boolean sent) {
        LOG.debug("an outgoing request failed", cause);
        return switch (cause) {
            case EgressFailure own ->
                    sent == own.sent() ? own : failure(own.kind(), sent, own.sentence());
            case SocketTimeoutException slow ->
                    failure(EgressFailure.Kind.UNREACHABLE, sent, "no connection in time");
            case TimeoutException late -> timedOut(sent);
            case null, default ->
                    sent
                            ? failure(EgressFailure.Kind.BROKEN, true, "the answer broke off")
                            : failure(
                                    EgressFailure.Kind.UNREACHABLE,
                                    false,
                                    "no connection was made");
        };
    }

    static EgressFailure failure(EgressFailure.Kind kind, boolean sent, String sentence) {
        return new EgressFailure(kind, sent, sentence);
    }

    @Override
    public void close() {
        if (whole.isPresent()) {
            return;
        }
        synchronized (this) {
            closed = true;
            if (!started) {
                return;
            }
        }
        try {
            client.stop();
        } catch (Exception late) {
            LOG.debug("the outgoing client did not stop cleanly", late);
        }
    }
}
