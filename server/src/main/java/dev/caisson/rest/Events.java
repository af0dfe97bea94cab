package dev.caisson.rest;

import dev.caisson.call.StreamEnd;
import dev.caisson.http.ErrorBody;
import dev.caisson.http.OutStream;
import dev.caisson.json.Json;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The events of one answer, in the order they happen. Whoever sends waits for a reader who is
/// behind, so that what is held for it stays small.
final class Events {
    /// What is held for a reader who is behind, beside the event that is being sent.
    static final int HELD_BYTES_MAX = 128 << 10;

    private final OutStream stream;
    private final Format format;
    private final AtomicLong number = new AtomicLong();

    private Events(OutStream stream, Format format) {
        this.stream = stream;
        this.format = format;
        stream.lastWord(this::lastWord);
    }

    /// What a reader is told whose stream is ended before the run is over.
    private byte[] lastWord(StreamEnd why) {
        return format.frame(event(ErrorBody.of(why)), number.incrementAndGet());
    }

    /// Begins the answer.
    static Events open(Ask ask, Format format) {
        return open(ask, format, Map.of());
    }

    /// Begins an answer that was given before.
    static Events replayed(Ask ask, Format format) {
        return open(ask, format, Map.of(Repetition.HEADER, "true"));
    }

    private static Events open(Ask ask, Format format, Map<String, String> more) {
        var headers = new HashMap<>(more);
        headers.put("Content-Type", format.type());
        headers.put("Cache-Control", "no-store");
        headers.put("X-Accel-Buffering", "no");
        return new Events(ask.stream(200, headers), format);
    }

    static ObjectNode event(String name) {
        return Json.object().put("event", name);
    }

    /// @return false when nobody reads any more
    boolean send(ObjectNode event) throws InterruptedException {
        return stream.write(format.frame(event, number.incrementAndGet()))
                && stream.awaitHeld(HELD_BYTES_MAX);
    }

    /// The last word of a run, and the end of the answer.
    void result(JsonNode result) throws InterruptedException {
        var event = event("result");
        event.set("result", result);
        last(event);
    }

    /// The last word of what went wrong after the answer began.
    void error(ErrorBody error) throws InterruptedException {
        last(event(error));
    }

    private static ObjectNode event(ErrorBody error) {
        return event("error").setAll(error.tree());
    }

    void error(Response.Whole response) throws InterruptedException {
        last(event("error").setAll((ObjectNode) response.body().orElseThrow()));
    }

    private void last(ObjectNode event) throws InterruptedException {
        send(event);
        stream.close();
    }

    void onClose(Runnable listener) {
        stream.onClose(listener);
    }

    void close() {
        stream.close();
    }
}
