package dev.caisson.acceptance.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// A server-sent event.
///
/// @param name `message` unless it says otherwise
public record Event(Optional<String> id, String name, String data, Optional<String> retry) {
    /// The next event, or empty at the end of the stream. Comments are passed over; what they hold
    /// keeps a connection alive and means nothing.
    ///
    /// @throws SocketTimeoutException when nothing but comments came for too long
    public static Optional<Event> next(InputStream in) throws IOException {
        long deadline = System.nanoTime() + Connection.PATIENCE.toNanos();
        Optional<String> id = Optional.empty();
        Optional<String> retry = Optional.empty();
        var name = "message";
        var data = new StringBuilder();
        boolean any = false;
        for (var line = line(in); line.isPresent(); line = line(in)) {
            if (System.nanoTime() > deadline) {
                throw new SocketTimeoutException("nothing but comments");
            }
            var text = line.get();
            if (text.isEmpty()) {
                if (any) {
                    return Optional.of(new Event(id, name, data.toString(), retry));
                }
                continue;
            }
            var colon = text.indexOf(':');
            var value = colon < 0 ? "" : text.substring(colon + 1).replaceFirst("^ ", "");
            any |= colon != 0;
            switch (colon < 0 ? text : text.substring(0, colon)) {
                case "id" -> id = Optional.of(value);
                case "event" -> name = value;
                case "retry" -> retry = Optional.of(value);
                case "data" -> data.append(data.isEmpty() ? "" : "\n").append(value);
                default -> {}
            }
        }
        return Optional.empty();
    }

    private static Optional<String> line(InputStream in) throws IOException {
        var bytes = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                return Optional.empty();
            }
            bytes.write(next);
        }
        var text = bytes.toString(StandardCharsets.UTF_8);
        return Optional.of(text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
    }
}
