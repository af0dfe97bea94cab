package dev.caisson.mcp.legacy;

import dev.caisson.call.Caller;
import dev.caisson.call.StreamEnd;
import dev.caisson.http.Exchange;
import dev.caisson.http.OutStream;
import dev.caisson.json.Json;
import dev.caisson.mcp.http.AcceptHeader;
import dev.caisson.mcp.http.PlainSseWriter;
import dev.caisson.mcp.http.SseWriter;
import dev.caisson.mcp.server.ChangeSubscription;
import dev.caisson.mcp.server.ChangeSubscriptions;
import dev.caisson.mcp.server.OpenStreams;
import dev.caisson.mcp.server.SubscriptionFilter;
import dev.caisson.rpc.ProtocolError;
import dev.caisson.rpc.RpcError;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Handler of GET by legacy clients: streams to hear of changes, or to take the rest of a stream
/// they lost.
public final class LegacyGet {
    private static final SubscriptionFilter LISTS =
            new SubscriptionFilter(true, true, true, Set.of(), Set.of());

    private final LegacySessions sessions;
    private final OpenStreams streams;
    private final ChangeSubscriptions subscriptions;
    private final Set<OutStream> standing = ConcurrentHashMap.newKeySet();

    public LegacyGet(
            LegacySessions sessions, OpenStreams streams, ChangeSubscriptions subscriptions) {
        this.sessions = sessions;
        this.streams = streams;
        this.subscriptions = subscriptions;
    }

    /// Opens, or opens again, a stream.
    public void listen(Exchange exchange, Caller caller) {
        LegacyPost.revision(exchange);
        if (!AcceptHeader.of(exchange).streamAtAll()) {
            throw new ProtocolError(
                    RpcError.INVALID_REQUEST, "Accept must allow text/event-stream", 406);
        }
        sessions.of(exchange, caller)
                .ifPresentOrElse(
                        session -> listen(exchange, caller, session),
                        () -> stand(exchange, caller));
    }

    private void listen(Exchange exchange, Caller caller, LegacySession session) {
        var from = exchange.header("Last-Event-ID").flatMap(EventId::of);
        var known = from.flatMap(event -> session.stream(event.stream()));
        if (from.isPresent() && known.isPresent()) {
            var out = SseWriter.open(exchange, SseWriter.HEADERS);
            streams.endWithKey(caller, out);
            known.get().resume(out, from.get().number());
            streams.keepAlive(out, known.get()::beat);
        } else if (from.filter(EventId::ofCall).isPresent()) {
            throw new ProtocolError(
                    RpcError.INVALID_REQUEST,
                    "The stream of this event is no longer kept; make its request again",
                    400);
        } else {
            var out = opened(exchange);
            streams.endWithKey(caller, out);
            streams.keepAlive(out, session.stand(out, subscriptions, caller)::beat);
        }
    }

    private static OutStream opened(Exchange exchange) {
        var out = SseWriter.open(exchange, SseWriter.HEADERS);
        out.write(SseWriter.comment("listening"));
        return out;
    }

    /// A stream without a session: it hears of changes as long as it is open.
    private void stand(Exchange exchange, Caller caller) {
        var out = opened(exchange);
        var sse = new PlainSseWriter(out);
        var listening =
                subscriptions.hear(caller, LISTS::wants, message -> sse.event(Json.bytes(message)));
        standing.add(out);
        streams.endWithKey(caller, out);
        out.onClose(() -> {
            standing.remove(out);
            ChangeSubscription.end(listening);
        });
        streams.keepAlive(out, sse::beat);
    }

    /// Ends the streams that belong to no session.
    public void close() {
        standing.forEach(out -> out.closeFor(StreamEnd.SERVER_STOPPING));
    }
}
