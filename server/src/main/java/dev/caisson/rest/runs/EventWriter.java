package dev.caisson.rest.runs;

import dev.caisson.call.StreamEnd;
import dev.caisson.http.ErrorBody;
import dev.caisson.http.OutStream;
import dev.caisson.json.Json;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.RouteRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Writer of the events of one answer, in the order they happen. The sender waits for a reader who
/// is behind, so that what is held for it stays small.
public final class EventWriter {
    /// What is held for a reader who is behind, beside the event that is being sent.
    static final int HELD_BYTES_MAX = 128 << 10;

    private final OutStream stream;
    private final RunFormat format;
    private final AtomicLong number = new AtomicLong();

    private EventWriter(OutStream stream, RunFormat format) {
        this.stream = stream;
        this.format = format;
        stream.lastWord(this::lastWord);
    }

    /// What a reader is told whose stream is ended before the run is over.
    private byte[] lastWord(StreamEnd why) {
        return format.frame(event(ErrorBody.of(why)), number.incrementAndGet());
    }

    /// Begins the answer.
    public static EventWriter open(RouteRequest ask, RunFormat format) {
        return open(ask, format, Map.of());
    }

    /// Begins an answer that was given before.
    static EventWriter replayed(RouteRequest ask, RunFormat format) {
        return open(ask, format, Map.of(RepeatedRequest.HEADER, "true"));
    }

    private static EventWriter open(RouteRequest ask, RunFormat format, Map<String, String> more) {
        var headers = new HashMap<>(more);
        headers.put("Content-Type", format.type());
        headers.put("Cache-Control", "no-store");
        headers.put("X-Accel-Buffering", "no");
        return new EventWriter(ask.stream(200, headers), format);
    }

    public static ObjectNode event(String name) {
        return Json.object().put("event", name);
    }

    /// @return false when nobody reads any more
    public boolean send(ObjectNode event) throws InterruptedException {
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

    public void onClose(Runnable listener) {
        stream.onClose(listener);
    }

    public void close() {
        stream.close();
    }
}
