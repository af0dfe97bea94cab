package dev.caisson.mcp.legacy;

import dev.caisson.call.Caller;
import dev.caisson.call.Change;
import dev.caisson.call.Door;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.TraceContext;
import dev.caisson.mcp.http.ModernPost;
import dev.caisson.mcp.server.Cancellation;
import dev.caisson.mcp.server.ChangeSubscription;
import dev.caisson.mcp.server.ChangeSubscriptions;
import dev.caisson.mcp.server.Codec;
import dev.caisson.mcp.server.Dispatcher;
import dev.caisson.mcp.server.LegacyCodec;
import dev.caisson.mcp.server.LoggedMessageSink;
import dev.caisson.mcp.server.McpRequest;
import dev.caisson.mcp.server.MessageSink;
import dev.caisson.mcp.server.Method;
import dev.caisson.mcp.server.ModernCodec;
import dev.caisson.mcp.server.RequestContext;
import dev.caisson.mcp.server.RequestLog;
import dev.caisson.mcp.server.RequestMeta;
import dev.caisson.mcp.server.SubscriptionFilter;
import dev.caisson.rpc.IncomingMessage;
import dev.caisson.rpc.ProtocolError;
import dev.caisson.rpc.RequestId;
import dev.caisson.rpc.Revision;
import dev.caisson.rpc.Rpc;
import dev.caisson.rpc.RpcError;
import dev.caisson.rpc.RpcResponse;
import dev.caisson.share.HeldShare;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/// Channel of a client that sends and gets everything over one connection: stdio, or the stream of
/// HTTP+SSE. It may speak both eras on it, even mixed, and have several calls in flight.
public final class ClientChannel implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(10);

    private final Door door;
    private final Caller caller;
    private final Dispatcher dispatcher;
    private final ChangeSubscriptions subscriptions;
    private final int callsMax;
    private final MessageSink outlet;
    private final ConnectedClient peer;
    private final Map<String, ChangeSubscription> listening = new ConcurrentHashMap<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AutoCloseable hearing;

    ClientChannel(
            Door door,
            Caller caller,
            ClientChannels channels,
            Revision revision,
            MessageSink outlet) {
        this.door = door;
        this.caller = caller;
        this.dispatcher = channels.dispatcher();
        this.subscriptions = channels.subscriptions();
        this.callsMax = channels.limits().calls();
        this.outlet = outlet;
        this.peer = new ConnectedClient(revision, Set.of());
        this.hearing = subscriptions.hear(caller, this::wants, outlet::send);
    }

    /// Only a client that made a handshake; modern ones ask for what they want.
    private boolean wants(Change change) {
        return peer.introduced() && peer.wants(change);
    }

    /// Takes one message. What it asks for is answered on the channel, later.
    ///
    /// @param held given back when nothing is done for the message any more
    public void take(IncomingMessage message, HeldShare held) {
        switch (message) {
            case IncomingMessage.Request request -> request(request, held);
            case IncomingMessage.Notification note -> {
                held.close();
                note.cancelled().ifPresent(id -> cancel(id, note.saysTimedOut()));
            }
            case IncomingMessage.Response response -> {
                held.close();
                peer.answered(response);
            }
        }
    }

    private void cancel(RequestId id, boolean timedOut) {
        peer.cancel(id, timedOut);
        var listener = listening.remove(id.key());
        if (listener != null) {
            listener.stop();
        }
    }

    private void request(IncomingMessage.Request request, HeldShare held) {
        var modern =
                RequestMeta.version(request.params()).isPresent()
                        || request.method().equals(Method.DISCOVER.word());
        Codec codec = modern ? dispatcher.modern() : new LegacyCodec(peer.revision());
        try {
            var meta = modern ? modernMeta(request) : RequestMeta.legacy(request.params());
            var method = dispatcher.log().method(request.method(), codec.revision());
            start(request, method, codec, meta, held);
        } catch (Refusal | ProtocolError wrong) {
            held.close();
            outlet.send(dispatcher.failure(request.id(), wrong, codec, caller).message());
        }
    }

    private static RequestMeta modernMeta(IncomingMessage.Request request) {
        var meta = RequestMeta.modern(request.params());
        var said = RequestMeta.version(request.params()).map(JsonNode::stringValue).orElse("");
        if (!Revision.modernWords().contains(said)) {
            throw ModernPost.unsupported(said);
        }
        return meta;
    }

    private void start(
            IncomingMessage.Request request,
            Method method,
            Codec codec,
            RequestMeta meta,
            HeldShare held) {
        var id = request.id();
        var asked = dispatcher.read(method, request.params(), caller);
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
        var noted = new LoggedMessageSink(outlet);
        var context = context(codec, meta, noted);
        Thread.ofVirtual()
                .name("call-" + context.trace().id())
                .start(() -> {
                    try (held) {
                        var entry = dispatcher.log().open(method, asked, context, noted);
                        answer(id, asked, context, work, entry);
                    }
                });
    }

    private void begin(RequestId id, Cancellation work) {
        if (inFlight.get() >= callsMax) {
            throw new Refusal(
                    Reason.NO_CAPACITY, "Too many requests are in flight on this connection");
        }
        if (listening.containsKey(id.key()) || !peer.begin(id, work)) {
            throw new ProtocolError(
                    RpcError.INVALID_REQUEST, "A request with this id is still running", 400);
        }
        inFlight.incrementAndGet();
    }

    private RequestContext context(Codec codec, RequestMeta meta, MessageSink noted) {
        return switch (codec) {
            case ModernCodec modern ->
                    RequestContext.modern(door, caller, TraceContext.fresh(), modern, meta, noted);
            case LegacyCodec _ ->
                    RequestContext.legacy(door, caller, TraceContext.fresh(), peer, meta, noted);
        };
    }

    private void answer(
            RequestId id,
            McpRequest asked,
            RequestContext context,
            Cancellation work,
            RequestLog.Entry entry) {
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
    private Optional<RpcResponse> finished(
            RequestId id, McpRequest asked, RequestContext context, Cancellation work) {
        try {
            return dispatcher.answer(id, asked, context, work);
        } finally {
            peer.end(id, work);
        }
    }

    private void listen(RequestId id, SubscriptionFilter filter) {
        if (listening.size() >= callsMax) {
            throw new Refusal(
                    Reason.NO_CAPACITY,
                    "Too many subscriptions on this connection. End one first.",
                    Map.of(Refusal.RETRYABLE, false));
        }
        var opened = subscriptions.open(caller, id, filter, dispatcher.modern(), outlet, () -> {});
        listening.put(id.key(), opened);
    }

    /// Answers something that was no message at all.
    public void refuse(ProtocolError wrong) {
        outlet.send(Rpc.error(wrong.id(), wrong.error()));
    }

    /// Waits until nothing is under way, or the time is over.
    ///
    /// @param until in nanoseconds of [System#nanoTime]
    public void drain(long until) throws InterruptedException {
        while (inFlight.get() > 0 && System.nanoTime() < until) {
            Thread.sleep(LOOK);
        }
    }

    /// Stops all that is under way, but for programs that their caller can find again.
    @Override
    public void close() {
        peer.leaveAll();
        peer.forget();
        listening.values().forEach(ChangeSubscription::stop);
        ChangeSubscription.end(hearing);
    }
}
