package dev.caisson.tools;

import dev.caisson.broker.Call;
import dev.caisson.broker.LogLevel;
import dev.caisson.json.Json;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.Sink;
import dev.caisson.storage.OutputCapture;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/// Passes a program's output on to the caller while it runs, a bounded amount at a time and whole
/// lines only, so that a secret can be recognised. The result has everything; this is for watching.
final class LiveOutput implements Sink {
    /// What one stream may hold until it is passed on; what comes beyond is counted.
    static final int HELD_BYTES_MAX = 16 << 10;

    private static final class Held {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        long skipped;
    }

    private final String executionId;
    private final Redactor redactor;
    private final Map<Stream, Held> held = new EnumMap<>(Stream.class);
    private long total;

    LiveOutput(String executionId, Redactor redactor) {
        this.executionId = executionId;
        this.redactor = redactor;
        for (var stream : Stream.values()) {
            held.put(stream, new Held());
        }
    }

    @Override
    public synchronized void write(Stream stream, byte[] bytes, int offset, int length) {
        var place = Objects.requireNonNull(held.get(stream));
        var room = Math.min(length, HELD_BYTES_MAX - place.bytes.size());
        place.bytes.write(bytes, offset, room);
        place.skipped += length - room;
        total += length;
    }

    synchronized long total() {
        return total;
    }

    /// Passes on what has come since the last time.
    void passOn(Call call) {
        var taken = take();
        for (var stream : Stream.values()) {
            var text = Objects.requireNonNull(taken.get(stream));
            if (!text.isEmpty()) {
                var word = OutputCapture.word(stream);
                var data =
                        Json.object()
                                .put("execution_id", executionId)
                                .put("stream", word)
                                .put("text", text);
                call.log(LogLevel.INFO, word, data);
            }
        }
    }

    /// At one moment, so that no errors are passed on before earlier output.
    private synchronized Map<Stream, String> take() {
        var taken = new EnumMap<Stream, String>(Stream.class);
        for (var stream : Stream.values()) {
            taken.put(stream, take(stream));
        }
        return taken;
    }

    private String take(Stream stream) {
        var place = Objects.requireNonNull(held.get(stream));
        var text = place.bytes.toString(StandardCharsets.UTF_8);
        var full = place.bytes.size() >= HELD_BYTES_MAX;
        var settled = full ? text.length() : redactor.settled(text);
        var rest = text.substring(settled).getBytes(StandardCharsets.UTF_8);
        place.bytes.reset();
        place.bytes.write(rest, 0, rest.length);
        var shown = redactor.text(text.substring(0, settled));
        if (place.skipped > 0) {
            shown += "\n[... " + place.skipped + " bytes not shown while running ...]\n";
            place.skipped = 0;
        }
        return shown;
    }
}
