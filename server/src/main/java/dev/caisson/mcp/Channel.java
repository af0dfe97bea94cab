package dev.caisson.mcp;

import dev.caisson.broker.Changes;
import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.TraceContext;
import dev.caisson.share.Held;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/// A client that sends and gets everything over one channel: stdio, or the stream of HTTP+SSE. It
/// may speak both eras on it, even mixed, and have several calls in flight.
final class Channel implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(10);

    private final Door door;
    private final Caller caller;
    private final Engine engine;
    private final Outlet outlet;
    private final Peer peer;
    private final Map<String, Listening> listening = new ConcurrentHashMap<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AutoCloseable hearing;

    Channel(Door door, Caller caller, Engine engine, Revision revision, Outlet outlet) {
        this.door = door;
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
    ///
    /// @param held given back when nothing is done for the message any more
    void take(Incoming message, Held held) {
        switch (message) {
            case Incoming.Request request -> request(request, held);
            case Incoming.Notification note -> {
                held.close();
                note.cancelled().ifPresent(this::cancel);
            }
            case Incoming.Response response -> {
                held.close();
                peer.answered(response);
            }
        }
    }

    private void cancel(Id id) {
        peer.cancel(id);
        var listener = listening.remove(id.key());
        if (listener != null) {
            listener.stop();
        }
    }

    private void request(Incoming.Request request, Held held) {
        var modern =
                RequestMeta.version(request.params()).isPresent()
                        || request.method().equals(Method.DISCOVER.word());
        Codec codec = modern ? engine.modern() : new LegacyCodec(peer.revision());
        try {
            var meta = modern ? modernMeta(request) : RequestMeta.legacy(request.params());
            var method = engine.ledger().method(request.method(), codec.revision());
            start(request, method, codec, meta, held);
        } catch (Refusal | ProtocolError wrong) {
            held.close();
            outlet.send(engine.desk().failure(request.id(), wrong, codec, caller).message());
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

    private void start(
            Incoming.Request request, Method method, Codec codec, RequestMeta meta, Held held) {
        var id = request.id();
        var asked = McpRequest.read(method, request.params());
        if (asked instanceof McpRequest.Listen listen) {
            listen(id, listen.filter());
            held.close();
            return;
        }
        if (asked instanceof McpRequest.Initialize handshake) {
            peer.introduce(handshake);
        }
        var work = new Cancellation();
        begin(id, work);
        var noted = new NotedOutlet(outlet);
        var context = context(codec, meta, noted);
        Thread.ofVirtual()
                .name("call-" + context.trace().id())
                .start(() -> {
                    try (held) {
                        var entry = engine.ledger().open(method, asked, context, noted);
                        answer(id, asked, context, work, entry);
                    }
                });
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

    private Context context(Codec codec, RequestMeta meta, Outlet noted) {
        return switch (codec) {
            case ModernCodec modern ->
                    Context.modern(door, caller, TraceContext.fresh(), modern, meta, noted);
            case LegacyCodec _ ->
                    Context.legacy(door, caller, TraceContext.fresh(), peer, meta, noted);
        };
    }

    private void answer(
            Id id, McpRequest asked, Context context, Cancellation work, Ledger.Entry entry) {
        try {
            finished(id, asked, context, work)
                    .ifPresent(answer -> {
                        entry.answered(answer);
                        outlet.send(answer.message());
                    });
        } finally {
            inFlight.decrementAndGet();
            entry.end();
        }
    }

    /// Its id is free again before anybody can have seen the answer.
    private Optional<Answer> finished(Id id, McpRequest asked, Context context, Cancellation work) {
        try {
            return engine.desk().answer(id, asked, context, work);
        } finally {
            peer.end(id, work);
        }
    }

    private void listen(Id id, ListenFilter filter) {
        if (listening.size() >= engine.limits().callsPerChannel()) {
            throw new Refusal(
                    Reason.NO_CAPACITY,
                    "Too many subscriptions on this connection. End one first.",
                    Map.of(Refusal.RETRYABLE, false));
        }
        var opened = engine.listeners().open(caller, id, filter, engine.modern(), outlet, () -> {});
        listening.put(id.key(), opened);
    }

    /// Answers something that was no message at all.
    void refuse(ProtocolError wrong) {
        outlet.send(Rpc.error(wrong.id(), wrong.error()));
    }

    /// Waits until nothing is under way, or the time is over.
    ///
    /// @param until in nanoseconds of [System#nanoTime]
    void drain(long until) throws InterruptedException {
        while (inFlight.get() > 0 && System.nanoTime() < until) {
            Thread.sleep(LOOK);
        }
    }

    /// Stops all that is under way.
    @Override
    public void close() {
        peer.cancelAll();
        peer.forget();
        listening.values().forEach(Listening::stop);
        Listening.end(hearing);
    }
}
