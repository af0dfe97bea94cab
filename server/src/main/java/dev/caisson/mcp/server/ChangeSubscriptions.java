package dev.caisson.mcp.server;

import dev.caisson.call.Caller;
import dev.caisson.call.Change;
import dev.caisson.call.Changes;
import dev.caisson.call.Revocations;
import dev.caisson.call.StreamEnd;
import dev.caisson.http.Exchange;
import dev.caisson.json.Json;
import dev.caisson.mcp.http.PlainSseWriter;
import dev.caisson.mcp.http.SseWriter;
import dev.caisson.rpc.RequestId;
import dev.caisson.share.Share;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/// Subscriptions to changes: listeners by `subscriptions/listen`, and clients of older revisions.
/// Each hears what it asked for and what concerns it, and the end of it when we stop.
public final class ChangeSubscriptions implements AutoCloseable {
    private final Changes changes;
    private final ChangeNotifications notices;
    private final Heartbeats beats;
    private final Revocations revocations;
    private final Share subscriptions;
    private final Set<ChangeSubscription> open = ConcurrentHashMap.newKeySet();

    public ChangeSubscriptions(
            Changes changes,
            ChangeNotifications notices,
            Heartbeats beats,
            Revocations revocations,
            Share subscriptions) {
        this.revocations = revocations;
        this.subscriptions = subscriptions;
        this.changes = changes;
        this.notices = notices;
        this.beats = beats;
    }

    /// Passes changes on to a client of an older revision, as notifications.
    ///
    /// @param wants whether the client wants to hear of a change
    /// @return ends it
    public AutoCloseable hear(Caller caller, Predicate<Change> wants, Consumer<ObjectNode> outlet) {
        return changes.listen(
                caller,
                change -> {
                    if (wants.test(change)) {
                        outlet.accept(notices.of(change, caller));
                    }
                });
    }

    /// Opens the stream of a listener. It needs no thread.
    public void listen(
            Exchange exchange,
            Caller caller,
            RequestId id,
            SubscriptionFilter filter,
            ModernCodec codec) {
        requireRoom(caller, filter);
        var out = SseWriter.open(exchange, SseWriter.HEADERS);
        var sse = new PlainSseWriter(out);
        Runnable beat = sse::beat;
        var listening =
                open(
                        caller,
                        id,
                        filter,
                        codec,
                        message -> sse.event(Json.bytes(message)),
                        out::close);
        beats.idle().watch(beat);
        revocations.register(
                caller.id(), () -> listening.finish(StreamEnd.KEY_REVOKED), out::onClose);
        out.onClose(() -> {
            beats.idle().forget(beat);
            listening.stop();
        });
    }

    /// Before the answer begins, while it can still be a refusal.
    private void requireRoom(Caller caller, SubscriptionFilter filter) {
        if (filter.bytes() > 0 && !subscriptions.mayTake(caller.id(), filter.bytes())) {
            throw subscriptions.refusal(caller.id(), filter.bytes());
        }
    }

    /// Starts to listen on any channel: the acknowledgment first, then what happens.
    ///
    /// @param over told after the last words
    public ChangeSubscription open(
            Caller caller,
            RequestId id,
            SubscriptionFilter filter,
            ModernCodec codec,
            MessageSink outlet,
            Runnable over) {
        var held = subscriptions.take(caller.id(), filter.bytes());
        var listening = new ChangeSubscription(id, filter, codec, outlet, over);
        listening.onStop(held);
        open.add(listening);
        listening.onStop(() -> open.remove(listening));
        listening.begin(() ->
                changes.listen(
                        caller,
                        change -> listening.hear(change, () -> notices.of(change, caller))));
        return listening;
    }

    @Override
    public void close() {
        open.forEach(listening -> listening.finish(StreamEnd.SERVER_STOPPING));
    }
}
