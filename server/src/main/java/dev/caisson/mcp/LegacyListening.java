package dev.caisson.mcp;

import dev.caisson.call.Caller;
import dev.caisson.call.StreamEnd;
import dev.caisson.http.Exchange;
import dev.caisson.http.OutStream;
import dev.caisson.json.Json;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The streams legacy clients open by GET: to hear of changes, or to take the rest of a stream they
/// lost.
final class LegacyListening {
    private static final ListenFilter LISTS =
            new ListenFilter(true, true, true, Set.of(), Set.of());

    private final Sessions sessions;
    private final Engine engine;
    private final Set<OutStream> standing = ConcurrentHashMap.newKeySet();

    LegacyListening(Sessions sessions, Engine engine) {
        this.sessions = sessions;
        this.engine = engine;
    }

    /// Opens, or opens again, a stream.
    void listen(Exchange exchange, Caller caller) {
        LegacyPost.revision(exchange);
        if (!Accepted.of(exchange).streamAtAll()) {
            throw new ProtocolError(
                    RpcError.INVALID_REQUEST, "Accept must allow text/event-stream", 406);
        }
        sessions.of(exchange, caller)
                .ifPresentOrElse(
                        session -> listen(exchange, caller, session),
                        () -> stand(exchange, caller));
    }

    private void listen(Exchange exchange, Caller caller, Session session) {
        var from = exchange.header("Last-Event-ID").flatMap(EventId::of);
        var known = from.flatMap(event -> session.stream(event.stream()));
        if (from.isPresent() && known.isPresent()) {
            var out = Sse.open(exchange, Sse.HEADERS);
            endWithKey(caller, out);
            known.get().resume(out, from.get().number());
            keepAlive(out, known.get()::beat);
        } else if (from.filter(EventId::ofCall).isPresent()) {
            throw new ProtocolError(
                    RpcError.INVALID_REQUEST,
                    "The stream of this event is no longer kept; make its request again",
                    400);
        } else {
            var out = opened(exchange);
            endWithKey(caller, out);
            keepAlive(out, session.stand(out, engine, caller)::beat);
        }
    }

    private static OutStream opened(Exchange exchange) {
        var out = Sse.open(exchange, Sse.HEADERS);
        out.write(Sse.comment("listening"));
        return out;
    }

    /// A stream without a session: it hears of changes as long as it is open.
    private void stand(Exchange exchange, Caller caller) {
        var out = opened(exchange);
        var sse = new PlainSse(out);
        var listening =
                engine.changes()
                        .listen(
                                caller,
                                change -> {
                                    if (LISTS.wants(change)) {
                                        sse.event(Json.bytes(engine.notices().of(change, caller)));
                                    }
                                });
        standing.add(out);
        endWithKey(caller, out);
        out.onClose(() -> {
            standing.remove(out);
            Listening.end(listening);
        });
        keepAlive(out, sse::beat);
    }

    private void endWithKey(Caller caller, OutStream out) {
        engine.revocations()
                .register(caller.id(), () -> out.closeFor(StreamEnd.KEY_REVOKED), out::onClose);
    }

    private void keepAlive(OutStream out, Runnable beat) {
        engine.beats().idle().watch(beat);
        out.onClose(() -> engine.beats().idle().forget(beat));
    }

    /// Ends the streams that belong to no session.
    void close() {
        standing.forEach(out -> out.closeFor(StreamEnd.SERVER_STOPPING));
    }
}
