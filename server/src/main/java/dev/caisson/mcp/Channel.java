package dev.caisson.mcp;

import dev.caisson.broker.Changes;
import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.TraceId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/// A client that sends and gets everything over one channel: stdio, or the stream of HTTP+SSE. It
/// may speak both eras on it, even mixed, and have several calls in flight.
final class Channel implements AutoCloseable {
    private final Caller caller;
    private final Engine engine;
    private final Outlet outlet;
    private final Peer peer;
    private final Map<String, Listening> listening = new ConcurrentHashMap<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AutoCloseable hearing;

    Channel(Caller caller, Engine engine, Revision revision, Outlet outlet) {
        this.caller = caller;
        this.engine = engine;
        this.outlet = outlet;
        this.peer = new Peer(revision, Set.of());
        this.hearing = hear(engine.changes(), engine.notices());
    }

    /// Passes changes on to a client that made a handshake; modern ones ask for what they want.
    private AutoCloseable hear(Changes changes, Notices notices) {
        return changes.listen(
                caller,
                change -> {
                    if (peer.introduced() && peer.wants(change)) {
                        outlet.send(notices.of(change, caller));
                    }
                });
    }

    /// Takes one message. What it asks for is answered on the channel, later.
    void take(Incoming message) {
        switch (message) {
            case Incoming.Request request -> request(request);
            case Incoming.Notification note -> notification(note);
            case Incoming.Response response -> peer.answered(response);
        }
    }

    private void notification(Incoming.Notification note) {
        if (!note.method().equals("notifications/cancelled")) {
            return;
        }
        Optional.ofNullable(note.params().get("requestId")).flatMap(Id::of).ifPresent(this::cancel);
    }

    private void cancel(Id id) {
        peer.cancel(id);
        var listener = listening.remove(id.key());
        if (listener != null) {
            listener.stop();
        }
    }

    private void request(Incoming.Request request) {
        var modern =
                RequestMeta.version(request.params()).isPresent()
                        || request.method().equals(Method.DISCOVER.word());
        Codec codec = modern ? engine.modern() : new LegacyCodec(peer.revision());
        try {
            var meta = modern ? modernMeta(request) : RequestMeta.legacy(request.params());
            var method = Method.of(request.method(), codec.revision());
            start(request.id(), McpRequest.read(method, request.params()), codec, meta);
        } catch (Refusal | ProtocolError wrong) {
            outlet.send(engine.desk().failure(request.id(), wrong, codec).message());
        }
    }

    private static RequestMeta modernMeta(Incoming.Request request) {
        var meta = RequestMeta.modern(request.params());
        var said = RequestMeta.version(request.params()).map(JsonNode::stringValue).orElse("");
        if (!Revision.modernWords().contains(said)) {
            throw ModernPost.unsupported(said);
        }
        return meta;
    }

    private void start(Id id, McpRequest asked, Codec codec, RequestMeta meta) {
        if (asked instanceof McpRequest.Listen listen) {
            listen(id, listen.filter());
            return;
        }
        if (asked instanceof McpRequest.Initialize handshake) {
            peer.introduce(handshake);
        }
        var work = new Cancellation();
        begin(id, work);
        var context = context(codec, meta);
        Thread.ofVirtual()
                .name("call-" + context.trace())
                .start(() -> answer(id, asked, context, work));
    }

    private void begin(Id id, Cancellation work) {
        if (inFlight.get() >= engine.limits().callsPerChannel()) {
            throw new Refusal(
                    Reason.NO_CAPACITY, "Too many requests are in flight on this connection");
        }
        if (listening.containsKey(id.key()) || !peer.begin(id, work)) {
            throw new ProtocolError(
                    RpcError.INVALID_REQUEST, "A request with this id is still running", 400);
        }
        inFlight.incrementAndGet();
    }

    private Context context(Codec codec, RequestMeta meta) {
        return switch (codec) {
            case ModernCodec modern ->
                    Context.modern(caller, TraceId.fresh(), modern, meta, outlet);
            case LegacyCodec _ -> Context.legacy(caller, TraceId.fresh(), peer, meta, outlet);
        };
    }

    private void answer(Id id, McpRequest asked, Context context, Cancellation work) {
        try {
            engine.desk()
                    .answer(id, asked, context, work)
                    .ifPresent(answer -> outlet.send(answer.message()));
        } finally {
            peer.end(id, work);
            inFlight.decrementAndGet();
        }
    }

    private void listen(Id id, ListenFilter filter) {
        if (listening.size() >= engine.limits().callsPerChannel()) {
            throw new Refusal(Reason.NO_CAPACITY, "Too many subscriptions on this connection");
        }
        var opened = engine.listeners().open(caller, id, filter, engine.modern(), outlet, () -> {});
        listening.put(id.key(), opened);
    }

    /// Answers something that was no message at all.
    void refuse(ProtocolError wrong) {
        outlet.send(Rpc.error(wrong.id(), wrong.error()));
    }

    boolean idle() {
        return inFlight.get() == 0;
    }

    /// Stops all that is under way.
    @Override
    public void close() {
        peer.cancelAll();
        listening.values().forEach(Listening::stop);
        Session.close(hearing);
    }
}
