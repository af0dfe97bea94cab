package dev.caisson.runs;

import dev.caisson.call.Call;
import dev.caisson.call.LogLevel;
import dev.caisson.json.Json;
import dev.caisson.output.OutputCapture;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.Sink;
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

    /// What stands before and behind a text and helps to judge it. A secret of a known form is
    /// shorter, but for private keys, whose beginning is kept.
    private static final int CONTEXT_LENGTH = 8 << 10;

    private static final int LOOK_AHEAD = 4 << 10;

    private static final class Held {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String context = "";
        long skipped;

        /// Whether something is missing between what was passed on and what is held.
        boolean isCut;
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
                call.messages().log(LogLevel.INFO, word, data);
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
        var judged = place.context + text;
        var before = place.context.length();
        var end = before + end(place, text);
        var from = Math.min(end, before + beginning(place, text));
        var shown = redactor.piece(judged, from, end);
        var rest = judged.substring(end).getBytes(StandardCharsets.UTF_8);
        place.bytes.reset();
        place.context = redactor.context(judged.substring(0, end), CONTEXT_LENGTH);
        if (place.skipped == 0) {
            place.bytes.write(rest, 0, rest.length);
            place.isCut &= end == before;
            return shown;
        }
        place.isCut = true;
        var missing = place.skipped + rest.length;
        place.skipped = 0;
        return shown + "\n[... " + missing + " bytes not shown while running ...]\n";
    }

    /// Where what is shown of a text ends: behind its last whole line, and in a line that is too
    /// long where there is still enough behind it to judge it by.
    private int end(Held place, String text) {
        if (place.bytes.size() < HELD_BYTES_MAX) {
            return Math.max(0, redactor.settled(place.context + text) - place.context.length());
        }
        var line = text.lastIndexOf('\n') + 1;
        return Math.max(line, text.length() - LOOK_AHEAD);
    }

    /// Behind a gap a text may begin in the middle of a secret.
    private static int beginning(Held place, String text) {
        if (!place.isCut) {
            return 0;
        }
        var line = text.indexOf('\n') + 1;
        return line > 0 && line < LOOK_AHEAD ? line : LOOK_AHEAD;
    }
}
