package dev.caisson.http;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.TraceContext;
import dev.caisson.share.HeldShare;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.jspecify.annotations.Nullable;

/// Jetty implementation of [Exchange]: one request and its answer.
final class JettyExchange implements Exchange {
    /// Most requests are answered within this time, before it is checked whether the client left.
    private static final long LOOK_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// A name of a parameter that may be said back.
    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    private final OpenExchanges traffic;
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final BodyReader body;
    private final TraceContext trace;
    private final CallRecord record;
    private final long since = System.nanoTime();
    private final ExchangeShares shares;
    private final Disconnect departure;

    /// Whether its caller has too many connections for this one to be kept.
    private boolean unwanted;

    private @Nullable Fields query;
    private volatile @Nullable JettyStream stream;
    private volatile HeldShare link = () -> {};
    private boolean answered;

    JettyExchange(OpenExchanges traffic, Request request, Response response, Callback callback) {
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
        shares = new ExchangeShares(traffic, record.clientAddress());
        var connection = request.getConnectionMetaData();
        departure =
                new Disconnect(
                        traffic.departures(),
                        connection.getLocalSocketAddress(),
                        connection.getRemoteSocketAddress());
    }

    @Override
    public void admitted(Caller caller) {
        note("caller", caller.name());
        admitted(caller.id());
    }

    @Override
    public String admittedByLink(String maker) {
        admitted(ShareHolder.withLinks(clientAddress()));
        var name = ShareHolder.ofLinks(maker);
        link = traffic.takeLink(name);
        return name;
    }

    @Override
    public void admittedByAddress() {
        shares.takePlace();
    }

    @Override
    public Optional<String> challenge(List<String> scopes) {
        return traffic.challenges().lacking(scopes);
    }

    private void admitted(String name) {
        shares.admitted(name);
        unwanted = true;
        traffic.connections().admitted(request.getConnectionMetaData().getConnection(), name);
        unwanted = false;
        shares.takePlace();
    }

    ExchangeShares shares() {
        return shares;
    }

    @Override
    public HeldShare keepPlace() {
        return shares.keepPlace();
    }

    @Override
    public HeldShare keepBody() {
        return shares.keepBody();
    }

    /// The handler has ended. An open stream goes on.
    void handled() {
        shares.handled();
        if (stream == null) {
            over();
        }
    }

    private void over() {
        link.close();
        traffic.over(this);
    }

    /// Gives back what a client holds that has left.
    void lookForDeparture() {
        if (System.nanoTime() - since >= LOOK_AFTER_NANOS && clientHasLeft()) {
            shares.clientLeft();
            abortStream("the client left");
        }
    }

    CallRecord record() {
        return record;
    }

    boolean isAnswered() {
        return answered;
    }

    @Override
    public boolean clientHasLeft() {
        return departure.isCertain();
    }

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String path() {
        return String.valueOf(request.getHttpURI().getDecodedPath());
    }

    @Override
    public String target() {
        return String.valueOf(request.getHttpURI().getPathQuery());
    }

    /// Whether the path has parameters (`;`), which only some programs take as part of the name.
    boolean hasPathParameters() {
        return String.valueOf(request.getHttpURI().getPath()).indexOf(';') >= 0;
    }

    /// Whether a slash of the decoded path is none of the path as it came.
    boolean hasEscapedSlash() {
        return String.valueOf(request.getHttpURI().getPath())
                .toLowerCase(Locale.ROOT)
                .contains("%2f");
    }

    @Override
    public Optional<String> query(String name) {
        return Optional.ofNullable(parameters().getValue(name));
    }

    @Override
    public Set<String> queryNames() {
        return Set.copyOf(parameters().getNames());
    }

    /// @throws Refusal MALFORMED when a parameter is there twice: two programs could take two
    ///   different ones of its values
    void requireEachParameterOnce() {
        for (var field : parameters()) {
            if (field.getValues().size() > 1) {
                throw new Refusal(
                        Reason.MALFORMED,
                        PLAIN_NAME.matcher(field.getName()).matches()
                                ? "The address has the parameter "
                                        + field.getName()
                                        + " more than once; send it once."
                                : "The address has a parameter more than once; send it once.");
            }
        }
    }

    /// The refusal of a header that decides something and came twice.
    Optional<Refusal> repetition() {
        return SingleHeaders.repetition(request.getHeaders());
    }

    private Fields parameters() {
        if (query == null) {
            query = parsedQuery();
        }
        return query;
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
        return body.isEnded() ? readBody() : shares.withoutPlace(this::readBody);
    }

    private byte[] readBody() {
        return body.read(traffic.limits().requests().bodyBytesMax(), deadline(), shares::growBody);
    }

    @Override
    public void body(Consumer<ByteBuffer> to) {
        body.pass(to, deadline());
    }

    private long deadline() {
        return request.getHeadersNanoTime() + traffic.limits().requests().time().toNanos();
    }

    @Override
    public void note(String key, String value) {
        record.note(key, value);
    }

    @Override
    public void reply(int status, Map<String, String> headers, byte[] bytes) {
        requireNoAnswer();
        shares.endAdmission();
        try (var memory = shares.answer()) {
            if (shares.awaitAnswer(memory, bytes.length)) {
                replyWhole(status, headers, bytes);
            } else {
                giveUp(status, "no memory for the answer");
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            giveUp(status, "the server stops");
        }
    }

    /// Closes the connection, so that the client sees that its answer was lost: whatever else it
    /// was told would be taken for the outcome of its request.
    private void giveUp(int status, String why) {
        answered = true;
        record.status(status);
        note("ended", why);
        traffic.ended(record, 0);
        var failure = new IOException(why);
        request.getConnectionMetaData().getConnection().getEndPoint().close(failure);
        callback.failed(failure);
    }

    private void replyWhole(int status, Map<String, String> headers, byte[] bytes) {
        beginWhole(status, headers);
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

    /// As [#reply], without waiting for anything.
    void replyLater(int status, Map<String, String> headers, byte[] bytes) {
        beginWhole(status, headers);
        response.write(
                true,
                ByteBuffer.wrap(bytes),
                Callback.from(
                        InvocationType.NON_BLOCKING,
                        () -> {
                            traffic.ended(record, bytes.length);
                            callback.succeeded();
                        },
                        failure -> {
                            traffic.ended(record, 0);
                            callback.failed(failure);
                        }));
    }

    private void beginWhole(int status, Map<String, String> headers) {
        begin(status, headers);
        body.skipArrived();
        if (!body.isEnded()) {
            response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
        }
    }

    @Override
    public OutStream stream(int status, Map<String, String> headers) {
        requireNoAnswer();
        shares.endAdmission();
        var taken = shares.takeStream();
        begin(status, headers);
        var opened =
                new JettyStream(
                        response,
                        traffic.limits().streams().bufferBytesMax(),
                        new JettyStream.Memory(shares.answer(), traffic::answerBytes),
                        callback,
                        (over, sent) -> {
                            taken.close();
                            over();
                            traffic.streamEnded(over, record, sent);
                        });
        stream = opened;
        traffic.streamStarted(opened);
        opened.start();
        return opened;
    }

    /// Ends an answer that cannot be completed any more.
    void abort() {
        abortStream("the handler failed");
    }

    private void abortStream(String why) {
        var opened = stream;
        if (opened != null) {
            opened.abort(why);
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
        if (traffic.isStopping() || unwanted) {
            fields.put(HttpFields.CONNECTION_CLOSE);
        }
    }

    private static TraceContext trace(Request request) {
        var header = request.getHeaders().get("traceparent");
        return header == null
                ? TraceContext.fresh()
                : TraceContext.ofTraceparent(header).orElseGet(TraceContext::fresh);
    }

    static String clientAddress(OpenExchanges traffic, Request request) {
        return request.getConnectionMetaData().getRemoteSocketAddress()
                        instanceof InetSocketAddress peer
                ? traffic.clients()
                        .of(
                                peer.getAddress(),
                                request.getHeaders().getValuesList("X-Forwarded-For"))
                : "unknown";
    }
}
