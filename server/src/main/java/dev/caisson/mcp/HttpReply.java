package dev.caisson.mcp;

import dev.caisson.call.Refusal;
import dev.caisson.http.Exchange;
import dev.caisson.http.OutStream;
import dev.caisson.json.Json;
import dev.caisson.share.Held;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The answer to one POST: one JSON body when it comes soon and alone, otherwise a stream of events
/// that ends with it.
///
/// It becomes a stream with the first message before the answer, or when the call has taken a
/// while; from then on it beats, which is how we learn that a client has gone.
final class HttpReply implements Outlet {
    private enum State {
        QUIET,
        STREAMING,
        DONE
    }

    private final Exchange exchange;
    private final Accepted accepted;
    private final Beats beats;
    private final Map<String, String> streamHeaders;
    private final Function<OutStream, Sse> opening;
    private final long streamAfter;
    private final Map<String, String> headers = new HashMap<>();
    private final Runnable look = this::look;
    private final Runnable beat = this::beat;
    private State state = State.QUIET;
    private @Nullable Sse sse;

    /// @param opening makes the stream's events out of the open answer
    HttpReply(
            Exchange exchange,
            Accepted accepted,
            Beats beats,
            Duration quiet,
            Map<String, String> streamHeaders,
            Function<OutStream, Sse> opening) {
        this.exchange = exchange;
        this.accepted = accepted;
        this.beats = beats;
        this.streamHeaders = streamHeaders;
        this.opening = opening;
        this.streamAfter = System.nanoTime() + quiet.toNanos();
        headers.put("Content-Type", Accepted.JSON);
    }

    /// From here on the reply may become a stream by itself.
    void watch() {
        if (accepted.stream()) {
            beats.quick().watch(look);
        }
    }

    /// A header of the answer, in whichever form.
    void header(String name, String value) {
        headers.put(name, value);
    }

    private synchronized void look() {
        if (state == State.QUIET && System.nanoTime() >= streamAfter) {
            try {
                open();
            } catch (Refusal _) {
                // No stream is free. The answer can still come in one piece.
                beats.quick().forget(look);
            }
        }
    }

    private synchronized void beat() {
        if (state == State.STREAMING && sse != null) {
            sse.beat();
        }
    }

    private Sse open() {
        if (sse != null) {
            return sse;
        }
        var all = new HashMap<>(headers);
        all.putAll(streamHeaders);
        var opened = opening.apply(Sse.open(exchange, all));
        sse = opened;
        state = State.STREAMING;
        beats.quick().forget(look);
        beats.calls().watch(beat);
        return opened;
    }

    @Override
    public synchronized boolean send(ObjectNode message) {
        if (state == State.DONE || !accepted.stream()) {
            return false;
        }
        try {
            return open().event(Json.bytes(message));
        } catch (Refusal _) {
            return false; // No stream is free. The answer can still come in one piece.
        }
    }

    @Override
    public synchronized void release(Duration retryAfter) {
        if (state != State.DONE && accepted.stream()) {
            open().release(retryAfter);
        }
    }

    @Override
    public Held keepBody() {
        return exchange.keepBody();
    }

    @Override
    public void note(String key, String value) {
        exchange.note(key, value);
    }

    /// Sends the answer and ends.
    void finish(Answer answer) {
        var bytes = Json.bytes(answer.message());
        synchronized (this) {
            if (state == State.DONE) {
                return;
            }
            if (state == State.QUIET && accepted.json()) {
                exchange.reply(answer.status(), headers, bytes);
            } else {
                var stream = open();
                stream.event(bytes);
                stream.end();
            }
            done();
        }
    }

    /// Ends without an answer: the request was cancelled, and nothing more is said.
    synchronized void abandon() {
        if (state == State.DONE) {
            return;
        }
        if (accepted.stream()) {
            open().end();
        } else {
            exchange.reply(202, Map.of(), new byte[0]);
        }
        done();
    }

    private void done() {
        state = State.DONE;
        beats.quick().forget(look);
        beats.calls().forget(beat);
    }
}
