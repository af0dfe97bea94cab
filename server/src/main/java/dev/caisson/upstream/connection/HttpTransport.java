package dev.caisson.upstream.connection;

import dev.caisson.call.Deadline;
import dev.caisson.call.ToolErrorType;
import dev.caisson.egress.EgressFailure;
import dev.caisson.egress.OutgoingAnswer;
import dev.caisson.egress.OutgoingHttp;
import dev.caisson.egress.OutgoingRequest;
import dev.caisson.json.Json;
import dev.caisson.rpc.EventReader;
import dev.caisson.rpc.HeaderText;
import dev.caisson.rpc.IncomingMessage;
import dev.caisson.rpc.ProtocolError;
import dev.caisson.rpc.Revision;
import dev.caisson.rpc.RpcError;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Streamable HTTP as a client speaks it, in both eras: each message is a POST, whose answer is
/// JSON or a stream of events of which one is the answer.
///
/// A server that keeps a session names it once and gets the name with every request. A stream that
/// ends before its answer goes on with another request where its server numbered the events.
final class HttpTransport implements MessageTransport {

    private static final Pattern SESSION = Pattern.compile("[\\x21-\\x7e]{1,1024}");
    private static final int ERROR_BYTES_MAX = 64 << 10;
    private static final Duration FAREWELL_MAX = Duration.ofSeconds(2);
    private static final Duration RESUME_WAIT = Duration.ofSeconds(1);
    private static final String JSON = "application/json";
    private static final String EVENTS = "text/event-stream";

    private final OutgoingHttp http;
    private final URI address;
    private final Map<String, String> credentials;
    private final ServerMessages messages;
    private final ReadBudget budget;
    private volatile Revision revision = Revision.R2026_07_28;
    private volatile Optional<String> session = Optional.empty();
    private volatile Optional<ChangeStream> changes = Optional.empty();
    private volatile boolean open = true;
    private volatile boolean garbled;

    HttpTransport(
            OutgoingHttp http,
            URI address,
            Map<String, String> credentials,
            ServerMessages messages,
            ReadBudget budget) {
        this.http = http;
        this.address = address;
        this.credentials = Map.copyOf(credentials);
        this.messages = messages;
        this.budget = budget;
    }

    @Override
    public IncomingMessage.Response request(ClientRequest request, Ask ask)
            throws UpstreamFailure, InterruptedException {
        return switch (post(request, ask)) {
            case PostReply.Answered(var response) -> response;
            case PostReply.Accepted _ ->
                    throw ask.unanswered(
                            ToolErrorType.UPSTREAM_UNAVAILABLE,
                            true,
                            "took the call and said nothing");
            case PostReply.Refused refused -> throw refusal(refused, ask);
        };
    }

    /// Before anything is agreed on, a refusal says what the server speaks.
    PostReply post(ClientRequest request, Ask ask) throws UpstreamFailure, InterruptedException {
        var headers = headers(request.method());
        request.name().ifPresent(name -> headers.put("Mcp-Name", HeaderText.encoded(name)));
        headers.putAll(request.arguments());
        ask.traceparent().ifPresent(trace -> headers.put("traceparent", trace));
        if (request.method().equals("initialize")) {
            headers.remove("MCP-Protocol-Version");
        }
        try {
            return exchange(
                    post(request.message(), headers, ask, ask.bytesMax()),
                    Optional.of(request),
                    ask);
        } catch (InterruptedException cancelled) {
            leave(request, "the caller left");
            throw cancelled;
        } catch (UpstreamFailure failed) {
            if (ask.deadline().isOver() && failed.sent()) {
                leave(request, "the time is over");
            }
            throw failed;
        }
    }

    private Map<String, String> headers(String method) {
        var headers = new HashMap<>(credentials);
        headers.put("Accept", JSON + ", " + EVENTS);
        headers.put("MCP-Protocol-Version", revision.word());
        if (revision.modern()) {
            headers.put("Mcp-Method", method);
        }
        session.ifPresent(name -> headers.put("Mcp-Session-Id", name));
        return headers;
    }

    private OutgoingRequest post(
            ObjectNode message, Map<String, String> headers, Ask ask, long bytesMax) {
        return new OutgoingRequest(
                "POST",
                address,
                headers,
                Optional.of(new OutgoingRequest.Body(JSON, Json.bytes(message))),
                Optional.of(ask.deadline()),
                bytesMax,
                ask.changing(),
                ask.onSent());
    }

    /// A closed stream is a cancellation in the modern era. In the others it is none.
    private void leave(ClientRequest request, String reason) {
        if (revision.modern() || request.method().equals("initialize") || !open) {
            return;
        }
        Thread.ofVirtual()
                .name("cancellation")
                .start(() -> {
                    try {
                        notify(
                                request.cancellation(reason),
                                Ask.plain("", Deadline.in(FAREWELL_MAX), ERROR_BYTES_MAX));
                    } catch (UpstreamFailure | InterruptedException unheard) {
                        // It is told once, and need not listen.
                    }
                });
    }

    @Override
    public void notify(ObjectNode notification, Ask ask)
            throws UpstreamFailure, InterruptedException {
        var headers = headers(notification.path("method").stringValue(""));
        if (exchange(post(notification, headers, ask, ERROR_BYTES_MAX), Optional.empty(), ask)
                instanceof PostReply.Refused refused) {
            throw refusal(refused, ask);
        }
    }

    private PostReply exchange(OutgoingRequest out, Optional<ClientRequest> request, Ask ask)
            throws UpstreamFailure, InterruptedException {
        try {
            var answer = http.send(out);
            boolean handedOn = false;
            try (var lease = budget.lease()) {
                if (answer.status() / 100 != 2) {
                    return refused(answer);
                }
                request.filter(asked -> asked.method().equals("initialize"))
                        .ifPresent(_ -> keepSession(answer));
                if (request.isEmpty() || answer.status() == 202) {
                    return new PostReply.Accepted();
                }
                if (answer.mediaType().equals(EVENTS)) {
                    var read = new EventAnswer(answer, lease, request.get(), ask);
                    var reply = read.reply();
                    handedOn = read.drainsLater();
                    return reply;
                }
                return json(answer, lease, request.get(), ask);
            } finally {
                if (!handedOn) {
                    answer.close();
                }
            }
        } catch (EgressFailure failed) {
            throw failure(failed, ask);
        }
    }

    private void keepSession(OutgoingAnswer answer) {
        session = answer.header("Mcp-Session-Id").filter(SESSION.asMatchPredicate());
    }

    private PostReply refused(OutgoingAnswer answer) throws InterruptedException {
        if (answer.status() == 404 && session.isPresent()) {
            // The session is over.
            garbled = true;
            open = false;
        }
        Optional<JsonNode> error = Optional.empty();
        if (answer.mediaType().equals(JSON)) {
            try {
                var bytes = answer.body().readNBytes(ERROR_BYTES_MAX);
                error = Optional.ofNullable(Json.parseAnswer(bytes).get("error"));
            } catch (InterruptedIOException cancelled) {
                throw new InterruptedException();
            } catch (IOException | JacksonException unreadable) {
                error = Optional.empty();
            }
        }
        return new PostReply.Refused(answer.status(), error);
    }

    private PostReply json(
            OutgoingAnswer answer, ReadBudget.Lease lease, ClientRequest request, Ask ask)
            throws UpstreamFailure, InterruptedException, EgressFailure {
        if (!answer.mediaType().equals(JSON)) {
            throw garbled(ask, "answered with neither JSON nor events");
        }
        try {
            var bytes = lease.counting(answer.body()).readAllBytes();
            return IncomingMessage.answer(bytes) instanceof IncomingMessage.Response response
                            && isMeant(response, request)
                    ? new PostReply.Answered(response)
                    : dropped(ask);
        } catch (ProtocolError malformed) {
            throw garbled(ask, "sent what is no message of the protocol");
        } catch (IOException failed) {
            throw failure(failed, ask);
        }
    }

    private boolean isMeant(IncomingMessage.Response response, ClientRequest request) {
        if (request.isAnsweredBy(response.id())) {
            return true;
        }
        messages.drop();
        return false;
    }

    private PostReply dropped(Ask ask) throws UpstreamFailure {
        throw garbled(ask, "answered another request than it was sent");
    }

    /// Nobody knows what else is wrong with a connection over which that came.
    private UpstreamFailure garbled(Ask ask, String what) {
        garbled = true;
        open = false;
        return ask.unanswered(ToolErrorType.TOOL_FAILED, true, what);
    }

    private UpstreamFailure failure(IOException failed, Ask ask)
            throws InterruptedException, UpstreamFailure {
        return switch (failed) {
            case EgressFailure known ->
                    switch (known.kind()) {
                        case TIMED_OUT -> ask.timedOut(known.sent());
                        case TOO_LARGE ->
                                ask.refused(
                                        ToolErrorType.TOO_LARGE,
                                        "sent an answer that is longer than %d bytes"
                                                .formatted(ask.bytesMax()));
                        case REFUSED, UNREACHABLE ->
                                ask.unanswered(
                                        ToolErrorType.UPSTREAM_UNAVAILABLE,
                                        known.sent(),
                                        "cannot be reached: " + known.sentence());
                        case BROKEN ->
                                ask.unanswered(
                                        ToolErrorType.UPSTREAM_UNAVAILABLE,
                                        known.sent(),
                                        "broke off");
                    };
            case InterruptedIOException _ -> throw new InterruptedException();
            case ReadBudget.Exhausted _ ->
                    ask.refused(
                            ToolErrorType.NO_CAPACITY,
                            "answered while the server has no memory for more answers");
            case EventReader.EventTooLong _ ->
                    ask.refused(
                            ToolErrorType.TOO_LARGE,
                            "sent an answer that is longer than %d bytes"
                                    .formatted(ask.bytesMax()));
            default -> garbled(ask, "sent what cannot be read");
        };
    }

    /// A status that is none of success is an answer: nothing was done.
    UpstreamFailure refusal(PostReply.Refused refused, Ask ask) {
        var status = refused.status();
        if (status == 401) {
            return ask.refused(
                    ToolErrorType.AUTHORIZATION_REQUIRED,
                    "does not take the credentials it was given");
        }
        if (status / 100 == 3) {
            return ask.refused(
                    ToolErrorType.UPSTREAM_UNAVAILABLE,
                    "sent a redirect (%d), which is not followed".formatted(status));
        }
        if (refused.code() == RpcError.METHOD_NOT_FOUND
                || refused.code() == RpcError.INVALID_PARAMS) {
            return ask.refused(ToolErrorType.TOOL_FAILED, "does not take the call as it is");
        }
        var what = "answered with status %d".formatted(status);
        return status / 100 == 4
                ? ask.refused(ToolErrorType.UPSTREAM_UNAVAILABLE, what)
                : ask.unanswered(ToolErrorType.UPSTREAM_UNAVAILABLE, true, what);
    }

    /// One answer that is a stream of events.
    private final class EventAnswer {
        private final OutgoingAnswer first;
        private final ReadBudget.Lease lease;
        private final ClientRequest request;
        private final Ask ask;
        private boolean drains;

        EventAnswer(OutgoingAnswer first, ReadBudget.Lease lease, ClientRequest request, Ask ask) {
            this.first = first;
            this.lease = lease;
            this.request = request;
            this.ask = ask;
        }

        /// Whether the rest of the first answer is read by another thread, which closes it.
        boolean drainsLater() {
            return drains;
        }

        PostReply reply() throws UpstreamFailure, InterruptedException {
            try {
                var reader = reader(first);
                var found = answerIn(reader);
                if (found.isPresent()) {
                    drain(reader);
                    return found.get();
                }
                return resumed(reader);
            } catch (ProtocolError malformed) {
                throw garbled(ask, "sent what is no message of the protocol");
            } catch (IOException failed) {
                throw failure(failed, ask);
            }
        }

        private EventReader reader(OutgoingAnswer answer) {
            return new EventReader(lease.counting(answer.body()), Math.toIntExact(ask.bytesMax()));
        }

        private Optional<PostReply> answerIn(EventReader reader)
                throws IOException, UpstreamFailure, InterruptedException {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                var data = next.get().data();
                if (data.length > 0) {
                    var answer = take(IncomingMessage.answer(data));
                    if (answer.isPresent()) {
                        return answer;
                    }
                }
            }
            return Optional.empty();
        }

        private Optional<PostReply> take(IncomingMessage message)
                throws UpstreamFailure, InterruptedException {
            switch (message) {
                case IncomingMessage.Response response -> {
                    if (isMeant(response, request)) {
                        return Optional.of(new PostReply.Answered(response));
                    }
                }
                case IncomingMessage.Notification notification -> {
                    if (notification.method().equals("notifications/progress")) {
                        ask.onProgress().accept(notification.params());
                    } else {
                        messages.heard(notification);
                    }
                }
                case IncomingMessage.Request asked -> refuse(asked, ask.deadline());
            }
            return Optional.empty();
        }

        /// Where a server numbers its events, a stream that ends early goes on with another
        /// request.
        private PostReply resumed(EventReader ended)
                throws IOException, UpstreamFailure, InterruptedException {
            var reader = ended;
            while (reader.lastId().isPresent() && !revision.modern()) {
                var wait = reader.retry().orElse(RESUME_WAIT);
                if (ask.deadline().left().compareTo(wait) <= 0) {
                    throw ask.timedOut(true);
                }
                Thread.sleep(wait);
                var headers = headers("");
                headers.put("Accept", EVENTS);
                headers.put("Last-Event-ID", reader.lastId().get());
                try (var again = http.send(get(headers, Optional.of(ask.deadline())))) {
                    if (again.status() != 200 || !again.mediaType().equals(EVENTS)) {
                        break;
                    }
                    var next = reader(again);
                    var found = answerIn(next);
                    if (found.isPresent()) {
                        return found.get();
                    }
                    reader = next;
                }
            }
            throw ask.unanswered(
                    ToolErrorType.UPSTREAM_UNAVAILABLE, true, "ended the stream before its answer");
        }

        /// A stream that is read to its end leaves a connection that can be used again.
        private void drain(EventReader reader) {
            drains = true;
            Thread.ofVirtual()
                    .name("rest-of-answer")
                    .start(() -> {
                        try (first) {
                            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                                messages.drop();
                            }
                        } catch (IOException over) {
                            // Whatever it was, nobody waited for it.
                        } finally {
                            lease.close();
                        }
                    });
        }
    }

    OutgoingRequest get(Map<String, String> headers, Optional<Deadline> deadline) {
        return new OutgoingRequest(
                "GET",
                address,
                headers,
                Optional.empty(),
                deadline,
                ChangeStream.BYTES_MAX,
                true,
                () -> {});
    }

    private void refuse(IncomingMessage.Request asked, Deadline deadline)
            throws UpstreamFailure, InterruptedException {
        var answer = messages.answer(asked);
        if (!revision.modern()) {
            notify(answer, Ask.plain("", deadline.orIn(FAREWELL_MAX), ERROR_BYTES_MAX));
        }
    }

    @Override
    public void agree(Revision agreed) {
        revision = agreed;
    }

    @Override
    public void listen() {
        changes = Optional.of(new ChangeStream(this::openChanges, this::heard));
    }

    private void heard(IncomingMessage message) {
        switch (message) {
            case IncomingMessage.Notification notification -> messages.heard(notification);
            case IncomingMessage.Response _ -> messages.drop();
            case IncomingMessage.Request asked -> {
                try {
                    refuse(asked, Deadline.in(FAREWELL_MAX));
                } catch (UpstreamFailure unheard) {
                    messages.drop();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    /// Where the server says what happens: a stream of its own.
    private OutgoingAnswer openChanges(Optional<String> lastId)
            throws EgressFailure, InterruptedException {
        if (revision.modern()) {
            var params = ClientMeta.on(Json.object());
            params.putObject("notifications").put("toolsListChanged", true);
            var request = ClientRequest.of("subscriptions/listen", params);
            return http.send(
                    new OutgoingRequest(
                            "POST",
                            address,
                            headers(request.method()),
                            Optional.of(
                                    new OutgoingRequest.Body(JSON, Json.bytes(request.message()))),
                            Optional.empty(),
                            ChangeStream.BYTES_MAX,
                            true,
                            () -> {}));
        }
        var headers = headers("");
        headers.put("Accept", EVENTS);
        lastId.ifPresent(id -> headers.put("Last-Event-ID", id));
        return http.send(get(headers, Optional.empty()));
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public boolean isGarbled() {
        return garbled;
    }

    @Override
    public void close() {
        open = false;
        changes.ifPresent(ChangeStream::close);
        var ended = session;
        session = Optional.empty();
        if (ended.isPresent()) {
            var headers = headers("");
            headers.put("Mcp-Session-Id", ended.get());
            Thread.ofVirtual().name("end-of-session").start(() -> delete(headers));
        }
    }

    private void delete(Map<String, String> headers) {
        var request =
                new OutgoingRequest(
                        "DELETE",
                        address,
                        headers,
                        Optional.empty(),
                        Optional.of(Deadline.in(FAREWELL_MAX)),
                        ERROR_BYTES_MAX,
                        false,
                        () -> {});
        try (var answer = http.send(request)) {
            answer.bytes();
        } catch (EgressFailure | InterruptedException unheard) {
            // A server that does not listen forgets the session by itself.
        }
    }
}
