package dev.caisson.mcp.http;

import dev.caisson.call.Refusal;
import dev.caisson.http.Exchange;
import dev.caisson.http.OutStream;
import dev.caisson.json.Json;
import dev.caisson.mcp.server.Heartbeats;
import dev.caisson.mcp.server.MessageSink;
import dev.caisson.mcp.server.MissingScope;
import dev.caisson.rpc.RpcResponse;
import dev.caisson.share.HeldShare;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Reply to one POST: one JSON body when it comes soon and alone, otherwise a stream of events that
/// ends with it.
///
/// It becomes a stream with the first message before the answer, or when the call has taken a
/// while; from then on it beats, which is how we learn that a client has gone.
public final class HttpReply implements MessageSink {
    private enum State {
        QUIET,
        STREAMING,
        DONE
    }

    private final Exchange exchange;
    private final AcceptHeader accepted;
    private final Heartbeats beats;
    private final Map<String, String> streamHeaders;
    private final Function<OutStream, SseWriter> opening;
    private final long streamAfter;
    private final Map<String, String> headers = new HashMap<>();
    private final Runnable look = this::look;
    private final Runnable beat = this::beat;
    private State state = State.QUIET;
    private @Nullable SseWriter sse;

    /// @param opening makes the stream's events out of the open answer
    public HttpReply(
            Exchange exchange,
            AcceptHeader accepted,
            Heartbeats beats,
            Duration quiet,
            Map<String, String> streamHeaders,
            Function<OutStream, SseWriter> opening) {
        this.exchange = exchange;
        this.accepted = accepted;
        this.beats = beats;
        this.streamHeaders = streamHeaders;
        this.opening = opening;
        this.streamAfter = System.nanoTime() + quiet.toNanos();
        headers.put("Content-Type", AcceptHeader.JSON);
    }

    /// From here on the reply may become a stream by itself.
    public void watch() {
        if (accepted.stream()) {
            beats.quick().watch(look);
        }
    }

    /// A header of the answer, in whichever form.
    public void header(String name, String value) {
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

    private SseWriter open() {
        if (sse != null) {
            return sse;
        }
        var all = new HashMap<>(headers);
        all.putAll(streamHeaders);
        var opened = opening.apply(SseWriter.open(exchange, all));
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
    public HeldShare keepBody() {
        return exchange.keepBody();
    }

    @Override
    public void note(String key, String value) {
        exchange.note(key, value);
    }

    /// Sends the answer and ends.
    public void finish(RpcResponse answer) {
        var bytes = Json.bytes(answer.message());
        synchronized (this) {
            if (state == State.DONE) {
                return;
            }
            if (state == State.QUIET && accepted.json()) {
                exchange.reply(answer.status(), headersOf(answer), bytes);
            } else {
                var stream = open();
                stream.event(bytes);
                stream.end();
            }
            done();
        }
    }

    private Map<String, String> headersOf(RpcResponse answer) {
        var challenge =
                MissingScope.needed(answer).flatMap(scope -> exchange.challenge(List.of(scope)));
        challenge.ifPresent(text -> headers.put("WWW-Authenticate", text));
        return headers;
    }

    /// Ends without an answer: the request was cancelled, and nothing more is said.
    public synchronized void abandon() {
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
