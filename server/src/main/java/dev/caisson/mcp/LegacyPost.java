package dev.caisson.mcp;

import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.Refusal;
import dev.caisson.http.Exchange;
import dev.caisson.http.OutStream;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What legacy clients post to `/mcp`. A handshake is welcome and never needed; a session routes
/// streams and nothing else.
final class LegacyPost {
    private static final Optional<Session> NO_SESSION = Optional.empty();

    private final Sessions sessions;
    private final Engine engine;
    private final Strays strays = new Strays();

    LegacyPost(Sessions sessions, Engine engine) {
        this.sessions = sessions;
        this.engine = engine;
    }

    void post(Exchange exchange, Caller caller, Incoming message) {
        try {
            var revision = revision(exchange);
            var session = isHandshake(message) ? NO_SESSION : sessions.of(exchange, caller);
            switch (message) {
                case Incoming.Request request ->
                        request(exchange, caller, request, session, revision);
                case Incoming.Notification note -> {
                    note(note, caller, session);
                    exchange.reply(202, Map.of(), new byte[0]);
                }
                case Incoming.Response response -> {
                    session.ifPresent(known -> known.peer().answered(response));
                    exchange.reply(202, Map.of(), new byte[0]);
                }
            }
        } catch (ProtocolError wrong) {
            throw new ProtocolError(wrong.error(), idOf(message));
        }
    }

    /// One that means nothing to us is accepted and ignored.
    private void note(Incoming.Notification note, Caller caller, Optional<Session> session) {
        note.cancelled()
                .ifPresent(id ->
                        session.ifPresentOrElse(
                                known -> known.peer().cancel(id), () -> strays.cancel(caller, id)));
    }

    /// A client that begins anew may still send the id of what it had.
    private static boolean isHandshake(Incoming message) {
        return message instanceof Incoming.Request request
                && request.method().equals(Method.INITIALIZE.word());
    }

    private static Optional<Id> idOf(Incoming message) {
        return message instanceof Incoming.Request request
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
            Incoming.Request request,
            Optional<Session> session,
            Revision revision) {
        var peer = session.map(Session::peer).orElseGet(() -> new Peer(revision, Set.of()));
        var codec = new LegacyCodec(peer.revision());
        try {
            var method = engine.ledger().method(request.method(), codec.revision());
            var meta = RequestMeta.legacy(request.params());
            var asked = McpRequest.read(method, request.params());
            engine.ledger().note(exchange, caller, codec.revision(), method, asked, meta);
            if (asked instanceof McpRequest.Initialize handshake) {
                var begun = sessions.begin(caller, handshake);
                var reply = reply(exchange, Optional.of(begun));
                reply.header(Sessions.HEADER, begun.id());
                var trace = exchange.traceContext();
                var context = Context.legacy(Door.MCP, caller, trace, begun.peer(), meta, reply);
                answer(request.id(), asked, context, reply, new Cancellation(), () -> {});
                return;
            }
            var reply = reply(exchange, session);
            var context =
                    Context.legacy(Door.MCP, caller, exchange.traceContext(), peer, meta, reply);
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

    private HttpReply reply(Exchange exchange, Optional<Session> session) {
        var accepted = Accepted.of(exchange);
        if (accepted.neither()) {
            throw new ProtocolError(
                    RpcError.INVALID_REQUEST,
                    "Accept must allow application/json or text/event-stream",
                    406);
        }
        return new HttpReply(
                exchange,
                accepted,
                engine.beats(),
                engine.limits().quiet(),
                session.isPresent() ? Sse.LAST_HEADERS : Sse.HEADERS,
                out -> opened(session, out));
    }

    private static Sse opened(Optional<Session> session, OutStream out) {
        return session.<Sse>map(known -> known.open(out)).orElseGet(() -> new PlainSse(out));
    }

    /// Answers a request of a session, which has no other one of this id under way.
    private void begin(Id id, McpRequest asked, Context context, Peer peer, HttpReply reply) {
        var work = new Cancellation();
        if (!peer.begin(id, work)) {
            throw new ProtocolError(
                    RpcError.INVALID_REQUEST, "A request with this id is still running", 400);
        }
        answer(id, asked, context, reply, work, () -> peer.end(id, work));
    }

    /// Answers a request without a session.
    private void stray(Id id, McpRequest asked, Context context, HttpReply reply) {
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
            Id id,
            McpRequest asked,
            Context context,
            HttpReply reply,
            Cancellation work,
            Runnable end) {
        Optional<Answer> answer;
        try {
            reply.watch();
            answer = engine.desk().answer(id, asked, context, work);
        } finally {
            end.run();
        }
        answer.ifPresentOrElse(reply::finish, reply::abandon);
    }

    /// Ends a session.
    void end(Exchange exchange, Caller caller) {
        var session =
                sessions.of(exchange, caller)
                        .orElseThrow(() ->
                                new ProtocolError(
                                        RpcError.INVALID_REQUEST,
                                        "The header " + Sessions.HEADER + " is missing",
                                        400));
        sessions.end(session);
        exchange.reply(204, Map.of(), new byte[0]);
    }
}
