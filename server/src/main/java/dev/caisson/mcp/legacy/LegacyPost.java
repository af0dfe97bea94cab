package dev.caisson.mcp.legacy;

import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.Refusal;
import dev.caisson.http.Exchange;
import dev.caisson.http.OutStream;
import dev.caisson.mcp.http.AcceptHeader;
import dev.caisson.mcp.http.HttpReply;
import dev.caisson.mcp.http.McpEndpoint;
import dev.caisson.mcp.http.ModernPost;
import dev.caisson.mcp.http.PlainSseWriter;
import dev.caisson.mcp.http.SseWriter;
import dev.caisson.mcp.server.Cancellation;
import dev.caisson.mcp.server.Dispatcher;
import dev.caisson.mcp.server.Heartbeats;
import dev.caisson.mcp.server.LegacyCodec;
import dev.caisson.mcp.server.McpRequest;
import dev.caisson.mcp.server.Method;
import dev.caisson.mcp.server.RequestContext;
import dev.caisson.mcp.server.RequestMeta;
import dev.caisson.rpc.IncomingMessage;
import dev.caisson.rpc.ProtocolError;
import dev.caisson.rpc.RequestId;
import dev.caisson.rpc.Revision;
import dev.caisson.rpc.RpcError;
import dev.caisson.rpc.RpcResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Handler of POST to `/mcp` by legacy clients. A handshake is welcome and never needed; a session
/// routes streams and nothing else.
public final class LegacyPost {
    private static final Optional<LegacySession> NO_SESSION = Optional.empty();

    private final LegacySessions sessions;
    private final Dispatcher dispatcher;
    private final Heartbeats beats;
    private final Duration quiet;
    private final SessionlessCalls strays = new SessionlessCalls();

    public LegacyPost(
            LegacySessions sessions, Dispatcher dispatcher, Heartbeats beats, Duration quiet) {
        this.sessions = sessions;
        this.dispatcher = dispatcher;
        this.beats = beats;
        this.quiet = quiet;
    }

    public void post(Exchange exchange, Caller caller, IncomingMessage message) {
        try {
            var revision = revision(exchange);
            var session = isHandshake(message) ? NO_SESSION : sessions.of(exchange, caller);
            switch (message) {
                case IncomingMessage.Request request ->
                        request(exchange, caller, request, session, revision);
                case IncomingMessage.Notification note -> {
                    note(note, caller, session);
                    exchange.reply(202, Map.of(), new byte[0]);
                }
                case IncomingMessage.Response response -> {
                    session.ifPresent(known -> known.peer().answered(response));
                    exchange.reply(202, Map.of(), new byte[0]);
                }
            }
        } catch (ProtocolError wrong) {
            throw new ProtocolError(wrong.error(), idOf(message));
        }
    }

    /// One that means nothing to us is accepted and ignored.
    private void note(
            IncomingMessage.Notification note, Caller caller, Optional<LegacySession> session) {
        var timedOut = note.saysTimedOut();
        note.cancelled()
                .ifPresent(id ->
                        session.ifPresentOrElse(
                                known -> known.peer().cancel(id, timedOut),
                                () -> strays.cancel(caller, id, timedOut)));
    }

    /// A client that begins anew may still send the id of what it had.
    private static boolean isHandshake(IncomingMessage message) {
        return message instanceof IncomingMessage.Request request
                && request.method().equals(Method.INITIALIZE.word());
    }

    private static Optional<RequestId> idOf(IncomingMessage message) {
        return message instanceof IncomingMessage.Request request
                ? Optional.of(request.id())
                : Optional.empty();
    }

    /// Any revision we know is fine, also another than the handshake's.
    static Revision revision(Exchange exchange) {
        var header = exchange.header(McpEndpoint.VERSION_HEADER).map(String::strip);
        return header.map(word -> Revision.of(word).orElseThrow(() -> ModernPost.unsupported(word)))
                .orElse(Revision.UNSAID);
    }

    private void request(
            Exchange exchange,
            Caller caller,
            IncomingMessage.Request request,
            Optional<LegacySession> session,
            Revision revision) {
        var peer =
                session.map(LegacySession::peer)
                        .orElseGet(() -> new ConnectedClient(revision, Set.of()));
        var codec = new LegacyCodec(peer.revision());
        try {
            var method = dispatcher.log().method(request.method(), codec.revision());
            var meta = RequestMeta.legacy(request.params());
            var asked = dispatcher.read(method, request.params(), caller);
            dispatcher.log().note(exchange, codec.revision(), method, asked, meta);
            if (asked instanceof McpRequest.Initialize handshake) {
                var begun = sessions.begin(caller, handshake);
                var reply = reply(exchange, Optional.of(begun));
                reply.header(LegacySessions.HEADER, begun.id());
                var trace = exchange.traceContext();
                var context =
                        RequestContext.legacy(Door.MCP, caller, trace, begun.peer(), meta, reply);
                answer(request.id(), asked, context, reply, new Cancellation(), () -> {});
                return;
            }
            var reply = reply(exchange, session);
            var context =
                    RequestContext.legacy(
                            Door.MCP, caller, exchange.traceContext(), peer, meta, reply);
            if (session.isPresent()) {
                begin(request.id(), asked, context, peer, reply);
            } else {
                stray(request.id(), asked, context, reply);
            }
        } catch (Refusal refusal) {
            throw new ProtocolError(codec.error(refusal), Optional.of(request.id()));
        }
    }

    /// Whether it asks for something that nobody could remember without a session.
    private static boolean outlives(McpRequest asked) {
        return asked instanceof McpRequest.Subscribe
                || asked instanceof McpRequest.Unsubscribe
                || asked instanceof McpRequest.SetLevel;
    }

    private HttpReply reply(Exchange exchange, Optional<LegacySession> session) {
        var accepted = AcceptHeader.of(exchange);
        if (accepted.neither()) {
            throw new ProtocolError(
                    RpcError.INVALID_REQUEST,
                    "Accept must allow application/json or text/event-stream",
                    406);
        }
        return new HttpReply(
                exchange,
                accepted,
                beats,
                quiet,
                session.isPresent() ? SseWriter.LAST_HEADERS : SseWriter.HEADERS,
                out -> opened(session, out));
    }

    private static SseWriter opened(Optional<LegacySession> session, OutStream out) {
        return session.<SseWriter>map(known -> known.open(out))
                .orElseGet(() -> new PlainSseWriter(out));
    }

    /// Answers a request of a session, which has no other one of this id under way.
    private void begin(
            RequestId id,
            McpRequest asked,
            RequestContext context,
            ConnectedClient peer,
            HttpReply reply) {
        var work = new Cancellation();
        if (!peer.begin(id, work)) {
            throw new ProtocolError(
                    RpcError.INVALID_REQUEST, "A request with this id is still running", 400);
        }
        answer(id, asked, context, reply, work, () -> peer.end(id, work));
    }

    /// Answers a request without a session.
    private void stray(RequestId id, McpRequest asked, RequestContext context, HttpReply reply) {
        if (outlives(asked)) {
            throw new ProtocolError(
                    RpcError.INVALID_REQUEST,
                    "This needs a session; begin one with initialize",
                    400);
        }
        var work = new Cancellation();
        strays.begin(context.caller(), id, work);
        answer(id, asked, context, reply, work, () -> strays.end(context.caller(), id, work));
    }

    /// @param end frees the id, before anybody can have seen the answer and used it again
    private void answer(
            RequestId id,
            McpRequest asked,
            RequestContext context,
            HttpReply reply,
            Cancellation work,
            Runnable end) {
        Optional<RpcResponse> answer;
        try {
            reply.watch();
            answer = dispatcher.answer(id, asked, context, work);
        } finally {
            end.run();
        }
        answer.ifPresentOrElse(reply::finish, reply::abandon);
    }

    /// Ends a session.
    public void end(Exchange exchange, Caller caller) {
        var session =
                sessions.of(exchange, caller)
                        .orElseThrow(() ->
                                new ProtocolError(
                                        RpcError.INVALID_REQUEST,
                                        "The header " + LegacySessions.HEADER + " is missing",
                                        400));
        sessions.end(session);
        exchange.reply(204, Map.of(), new byte[0]);
    }
}
