package dev.caisson.mcp.http;

import dev.caisson.call.StreamEnd;
import dev.caisson.http.Exchange;
import dev.caisson.http.OutStream;
import dev.caisson.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/// An answer as server-sent events.
public interface SseWriter {
    Map<String, String> HEADERS =
            Map.of(
                    "Content-Type", "text/event-stream",
                    "Cache-Control", "no-cache",
                    "X-Accel-Buffering", "no");

    /// For a stream that may end before its handler does: nothing else can be served on such a
    /// connection until then, so the client must not try.
    Map<String, String> LAST_HEADERS =
            Map.of(
                    "Content-Type", "text/event-stream",
                    "Cache-Control", "no-cache",
                    "X-Accel-Buffering", "no",
                    "Connection", "close");

    /// @return false when nobody will read it
    boolean event(byte[] json);

    /// Shows that the stream lives.
    void beat();

    /// Lets the reader go and come back, where it can.
    void release(Duration retryAfter);

    /// Ends the stream after its last event.
    void end();

    /// Ends the stream before its time, with the reason as its last event.
    void end(StreamEnd why);

    /// The bytes of one event.
    ///
    /// @param head lines before the data, each with its end
    static byte[] frame(String head, byte[] json) {
        var start = ascii(head + "data: ");
        var frame = new byte[start.length + json.length + 2];
        System.arraycopy(start, 0, frame, 0, start.length);
        System.arraycopy(json, 0, frame, start.length, json.length);
        frame[frame.length - 2] = '\n';
        frame[frame.length - 1] = '\n';
        return frame;
    }

    /// Begins an answer that says why when it is ended before its time.
    static OutStream open(Exchange exchange, Map<String, String> headers) {
        var out = exchange.stream(200, headers);
        out.lastWord(SseWriter::last);
        return out;
    }

    /// No message of the protocol, but an event that clients may look at and otherwise ignore.
    private static byte[] last(StreamEnd why) {
        var word =
                Json.object()
                        .put("code", why.word())
                        .put("message", why.sentence())
                        .put("retryable", why.retryable())
                        .put(
                                "retry_after_ms",
                                why.retryAfter().map(Duration::toMillis).orElse(null));
        return frame("event: end\n", Json.bytes(word));
    }

    static byte[] comment(String text) {
        return ascii(": " + text + "\n\n");
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
