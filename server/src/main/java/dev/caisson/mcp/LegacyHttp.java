package dev.caisson.mcp;

import dev.caisson.call.Caller;
import dev.caisson.call.Refusal;
import dev.caisson.http.Exchange;
import dev.caisson.http.OutStream;
import dev.caisson.json.Json;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Streamable HTTP of the legacy revisions. A handshake is welcome and never needed; a session
/// routes streams and nothing else.
final class LegacyHttp {
    static final String SESSION_HEADER = "Mcp-Session-Id";

    private static final Optional<Session> NO_SESSION = Optional.empty();

    private final Sessions sessions;
    private final Engine engine;

    LegacyHttp(Sessions sessions, Engine engine) {
        this.sessions = sessions;
        this.engine = engine;
    }

    void post(Exchange exchange, Caller caller, Incoming message) {
        try {
            var revision = revision(exchange);
            var session = isHandshake(message) ? NO_SESSION : session(exchange, caller);
            var peer = session.map(Session::peer).orElseGet(() -> new Peer(revision, Set.of()));
            switch (message) {
                case Incoming.Request request -> request(exchange, caller, request, session, peer);
                case Incoming.Notification note -> {
                    note(note, peer);
                    exchange.reply(202, Map.of(), new byte[0]);
                }
                case Incoming.Response response -> {
                    peer.answered(response);
                    exchange.reply(202, Map.of(), new byte[0]);
                }
            }
        } catch (ProtocolError wrong) {
            throw new ProtocolError(wrong.error(), idOf(message));
        }
    }

    /// One that means nothing to us is accepted and ignored.
    private static void note(Incoming.Notification note, Peer peer) {
        if (note.method().equals("notifications/cancelled")) {
            Optional.ofNullable(note.params().get("requestId"))
                    .flatMap(Id::of)
                    .ifPresent(peer::cancel);
        }
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
    private static Revision revision(Exchange exchange) {
        var header = exchange.header(McpEndpoint.VERSION_HEADER).map(String::strip);
        return header.map(word -> Revision.of(word).orElseThrow(() -> ModernPost.unsupported(word)))
                .orElse(Revision.UNSAID);
    }

    private Optional<Session> session(Exchange exchange, Caller caller) {
        return exchange.header(SESSION_HEADER)
                .map(id ->
                        sessions.find(caller, id)
                                .orElseThrow(() ->
                                        new ProtocolError(
                                                RpcError.INVALID_REQUEST,
                                                "Session not found; begin a new"
                                                        + " one with initialize",
                                                404)));
    }

    private void request(
            Exchange exchange,
            Caller caller,
            Incoming.Request request,
            Optional<Session> session,
            Peer peer) {
        var codec = new LegacyCodec(peer.revision());
        McpRequest asked;
        RequestMeta meta;
        try {
            var method = Method.of(request.method(), codec.revision());
            exchange.note("method", method.word());
            meta = RequestMeta.legacy(request.params());
            asked = McpRequest.read(method, request.params());
        } catch (Refusal refusal) {
            throw new ProtocolError(codec.error(refusal), Optional.of(request.id()));
        }
        if (asked instanceof McpRequest.Initialize handshake) {
            var begun = sessions.begin(caller, handshake);
            var reply = reply(exchange, Optional.of(begun));
            reply.header(SESSION_HEADER, begun.id());
            answer(exchange, caller, request.id(), asked, meta, begun.peer(), reply);
        } else {
            answer(exchange, caller, request.id(), asked, meta, peer, reply(exchange, session));
        }
    }

    private HttpReply reply(Exchange exchange, Optional<Session> session) {
        var accepted = Accepted.of(exchange, new Accepted(true, false));
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

    private void answer(
            Exchange exchange,
            Caller caller,
            Id id,
            McpRequest asked,
            RequestMeta meta,
            Peer peer,
            HttpReply reply) {
        if (asked instanceof McpRequest.CallTool call) {
            exchange.note("tool", call.name());
        }
        var work = new Cancellation();
        if (!peer.begin(id, work)) {
            throw new ProtocolError(
                    RpcError.INVALID_REQUEST, "A request with this id is still running", 400);
        }
        try {
            reply.watch();
            var context = Context.legacy(caller, exchange.trace(), peer, meta, reply);
            engine.desk()
                    .answer(id, asked, context, work)
                    .ifPresentOrElse(reply::finish, reply::abandon);
        } finally {
            peer.end(id, work);
        }
    }

    /// Opens, or opens again, a stream.
    void listen(Exchange exchange, Caller caller) {
        revision(exchange);
        if (!Accepted.of(exchange, new Accepted(true, true)).stream()) {
            throw new ProtocolError(
                    RpcError.INVALID_REQUEST, "Accept must allow text/event-stream", 406);
        }
        var session = session(exchange, caller);
        if (session.isEmpty()) {
            stand(exchange, caller);
            return;
        }
        var from = exchange.header("Last-Event-ID").flatMap(EventId::of);
        var known = from.flatMap(event -> session.get().stream(event.stream()));
        if (from.isPresent() && known.isPresent()) {
            var out = exchange.stream(200, Sse.HEADERS);
            known.get().resume(out, from.get().number());
            keepAlive(out, known.get()::beat);
        } else if (from.filter(EventId::ofCall).isPresent()) {
            throw new ProtocolError(
                    RpcError.INVALID_REQUEST,
                    "The stream of this event is no longer kept; make its request again",
                    400);
        } else {
            var out = exchange.stream(200, Sse.HEADERS);
            out.write(Sse.comment("listening"));
            keepAlive(out, session.get().stand(out, engine, caller)::beat);
        }
    }

    /// A stream without a session: it hears of changes as long as it is open.
    private void stand(Exchange exchange, Caller caller) {
        var out = exchange.stream(200, Sse.HEADERS);
        out.write(Sse.comment("listening"));
        var sse = new PlainSse(out);
        var filter = new ListenFilter(true, true, true, Set.of(), Set.of());
        var listening =
                engine.changes()
                        .listen(
                                caller,
                                change -> {
                                    if (filter.wants(change)) {
                                        sse.event(Json.bytes(engine.notices().of(change, caller)));
                                    }
                                });
        out.onClose(() -> Session.close(listening));
        keepAlive(out, sse::beat);
    }

    private void keepAlive(OutStream out, Runnable beat) {
        engine.beats().idle().watch(beat);
        out.onClose(() -> engine.beats().idle().forget(beat));
    }

    /// Ends a session.
    void end(Exchange exchange, Caller caller) {
        var session =
                session(exchange, caller)
                        .orElseThrow(() ->
                                new ProtocolError(
                                        RpcError.INVALID_REQUEST,
                                        "The header " + SESSION_HEADER + " is missing",
                                        400));
        sessions.end(session);
        exchange.reply(204, Map.of(), new byte[0]);
    }
}
