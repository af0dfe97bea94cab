package dev.caisson.mcp.server;

import dev.caisson.call.Change;
import dev.caisson.call.StreamEnd;
import dev.caisson.json.Json;
import dev.caisson.rpc.MetaMember;
import dev.caisson.rpc.RequestId;
import dev.caisson.rpc.Rpc;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Subscription of one listener to changes. Every message to it names the request that began it.
public final class ChangeSubscription {
    private final RequestId id;
    private final SubscriptionFilter filter;
    private final ModernCodec codec;
    private final MessageSink outlet;
    private final Runnable over;
    private final List<AutoCloseable> ends = new ArrayList<>();
    private boolean stopped;

    ChangeSubscription(
            RequestId id,
            SubscriptionFilter filter,
            ModernCodec codec,
            MessageSink outlet,
            Runnable over) {
        this.id = id;
        this.filter = filter;
        this.codec = codec;
        this.outlet = outlet;
        this.over = over;
    }

    /// Acknowledges, and misses nothing that happens from then on: what comes in between waits.
    synchronized void begin(Supplier<AutoCloseable> listen) {
        ends.add(listen.get());
        var params = Json.object();
        params.set("notifications", filter.json());
        outlet.send(tagged(Rpc.notification("notifications/subscriptions/acknowledged", params)));
    }

    /// Passes a change on, if it was asked for.
    synchronized void hear(Change change, Supplier<ObjectNode> notice) {
        if (filter.wants(change)) {
            outlet.send(tagged(notice.get()));
        }
    }

    private ObjectNode tagged(ObjectNode message) {
        message.withObjectProperty("params")
                .withObjectProperty("_meta")
                .set(MetaMember.SUBSCRIPTION, id.node());
        return message;
    }

    /// Undone when the listening is over.
    synchronized void onStop(AutoCloseable end) {
        ends.add(end);
    }

    /// Ends it on our side: a cancellation and the response, since the specification asks for the
    /// one on one page and for the other on another.
    void finish(StreamEnd why) {
        var cancelled = Json.object();
        cancelled.set("requestId", id.node());
        cancelled.put("reason", why.reason());
        outlet.send(tagged(Rpc.notification("notifications/cancelled", cancelled)));
        var result = Json.object();
        result.putObject("_meta").set(MetaMember.SUBSCRIPTION, id.node());
        outlet.send(Rpc.result(id, codec.complete(result)));
        over.run();
        stop();
    }

    /// Ends it without a word.
    public synchronized void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        for (var end : ends) {
            end(end);
        }
    }

    /// Ends a subscription to [dev.caisson.broker.Changes].
    public static void end(AutoCloseable end) {
        try {
            end.close();
        } catch (Exception e) {
            throw new IllegalStateException("ending a subscription failed", e);
        }
    }
}
