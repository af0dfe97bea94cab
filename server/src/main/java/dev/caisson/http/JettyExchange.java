package dev.caisson.http;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.TraceContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/// A request on Jetty.
final class JettyExchange implements Exchange {
    private final Traffic traffic;
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final BodyReader body;
    private final TraceContext trace;
    private final CallRecord record;
    private @Nullable Fields query;
    private @Nullable JettyStream stream;
    private boolean answered;

    JettyExchange(Traffic traffic, Request request, Response response, Callback callback) {
        this.traffic = traffic;
        this.request = request;
        this.response = response;
        this.callback = callback;
        body = new BodyReader(request);
        trace = trace(request);
        record =
                new CallRecord(
                        method(),
                        path(),
                        trace.id(),
                        clientAddress(traffic, request),
                        request.getBeginNanoTime());
    }

    CallRecord record() {
        return record;
    }

    boolean isAnswered() {
        return answered;
    }

    @Override
    public boolean clientHasLeft() {
        var connection = request.getConnectionMetaData();
        return traffic.departures()
                .hasLeft(connection.getLocalSocketAddress(), connection.getRemoteSocketAddress());
    }

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String path() {
        return String.valueOf(request.getHttpURI().getDecodedPath());
    }

    /// Whether the path has parameters (`;`), which only some programs take as part of the name.
    boolean hasPathParameters() {
        return String.valueOf(request.getHttpURI().getPath()).indexOf(';') >= 0;
    }

    @Override
    public Optional<String> query(String name) {
        if (query == null) {
            query = parsedQuery();
        }
        return Optional.ofNullable(query.getValue(name));
    }

    private Fields parsedQuery() {
        try {
            return Request.extractQueryParameters(request);
        } catch (RuntimeException e) {
            throw new Refusal(Reason.MALFORMED, "The query of the address is not well-formed.");
        }
    }

    @Override
    public Optional<String> header(String name) {
        return Optional.ofNullable(request.getHeaders().get(name));
    }

    @Override
    public List<String> headers(String name) {
        return request.getHeaders().getValuesList(name);
    }

    @Override
    public String clientAddress() {
        return record.clientAddress();
    }

    @Override
    public TraceContext traceContext() {
        return trace;
    }

    @Override
    public byte[] body() {
        var limits = traffic.limits();
        return body.read(
                limits.bodyBytesMax(),
                request.getHeadersNanoTime() + limits.requestTime().toNanos());
    }

    @Override
    public void body(Consumer<ByteBuffer> to) {
        body.pass(to, request.getHeadersNanoTime() + traffic.limits().requestTime().toNanos());
    }

    @Override
    public void note(String key, String value) {
        record.note(key, value);
    }

    @Override
    public void reply(int status, Map<String, String> headers, byte[] bytes) {
        begin(status, headers);
        body.skipArrived();
        if (!body.isEnded()) {
            response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
        }
        try (var written = Blocker.callback()) {
            response.write(true, ByteBuffer.wrap(bytes), written);
            // A client that is still sending would see a reset instead of the answer.
            body.drain();
            written.block();
            traffic.ended(record, bytes.length);
            callback.succeeded();
        } catch (IOException e) {
            traffic.ended(record, 0);
            callback.failed(e);
        }
    }

    @Override
    public OutStream stream(int status, Map<String, String> headers) {
        requireNoAnswer();
        traffic.takeStream();
        begin(status, headers);
        var opened =
                new JettyStream(
                        response,
                        traffic.limits().streamBufferBytesMax(),
                        callback,
                        (over, sent) -> traffic.streamEnded(over, record, sent));
        stream = opened;
        traffic.streamStarted(opened);
        opened.start();
        return opened;
    }

    /// Ends an answer that cannot be completed any more.
    void abort() {
        if (stream != null) {
            stream.abort("the handler failed");
        }
    }

    private void requireNoAnswer() {
        if (answered) {
            throw new IllegalStateException("this request has been answered already");
        }
    }

    private void begin(int status, Map<String, String> headers) {
        requireNoAnswer();
        answered = true;
        record.status(status);
        response.setStatus(status);
        var fields = response.getHeaders();
        headers.forEach(fields::put);
        if (traffic.isStopping()) {
            fields.put(HttpFields.CONNECTION_CLOSE);
        }
    }

    private static TraceContext trace(Request request) {
        var header = request.getHeaders().get("traceparent");
        return header == null
                ? TraceContext.fresh()
                : TraceContext.ofTraceparent(header).orElseGet(TraceContext::fresh);
    }

    static String clientAddress(Traffic traffic, Request request) {
        return request.getConnectionMetaData().getRemoteSocketAddress()
                        instanceof InetSocketAddress peer
                ? traffic.clients()
                        .of(
                                peer.getAddress(),
                                request.getHeaders().getValuesList("X-Forwarded-For"))
                : "unknown";
    }
}
