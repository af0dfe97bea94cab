package dev.caisson.mcp;

import dev.caisson.broker.Changes;
import dev.caisson.call.Caller;
import dev.caisson.call.Revocations;
import dev.caisson.call.StreamEnd;
import dev.caisson.http.Exchange;
import dev.caisson.json.Json;
import dev.caisson.share.Share;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Those who listen by `subscriptions/listen`. Each hears what it asked for and what concerns it,
/// and the end of it when we stop.
final class Listeners implements AutoCloseable {
    private final Changes changes;
    private final Notices notices;
    private final Beats beats;
    private final Revocations revocations;
    private final Share subscriptions;
    private final Set<Listening> open = ConcurrentHashMap.newKeySet();

    Listeners(
            Changes changes,
            Notices notices,
            Beats beats,
            Revocations revocations,
            Share subscriptions) {
        this.revocations = revocations;
        this.subscriptions = subscriptions;
        this.changes = changes;
        this.notices = notices;
        this.beats = beats;
    }

    /// Opens the stream of a listener. It needs no thread.
    void listen(Exchange exchange, Caller caller, Id id, ListenFilter filter, ModernCodec codec) {
        requireRoom(caller, filter);
        var out = Sse.open(exchange, Sse.HEADERS);
        var sse = new PlainSse(out);
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
    private void requireRoom(Caller caller, ListenFilter filter) {
        if (filter.bytes() > 0 && !subscriptions.mayTake(caller.id(), filter.bytes())) {
            throw subscriptions.refusal(caller.id(), filter.bytes());
        }
    }

    /// Starts to listen on any channel: the acknowledgment first, then what happens.
    ///
    /// @param over told after the last words
    Listening open(
            Caller caller,
            Id id,
            ListenFilter filter,
            ModernCodec codec,
            Outlet outlet,
            Runnable over) {
        var held = subscriptions.take(caller.id(), filter.bytes());
        var listening = new Listening(id, filter, codec, outlet, over);
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
