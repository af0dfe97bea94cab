package dev.caisson.http;

import dev.caisson.call.TraceId;
import dev.caisson.telemetry.LogFields;
import dev.caisson.telemetry.LogLine;
import dev.caisson.telemetry.TextLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Access log record: what the one log line of a request says. It has no place for a header, a
/// query or a body.
final class CallRecord implements LogFields {
    static final String NO_ROUTE = "none";

    /// Polled by programs all day long, the console's among them.
    private static final Set<String> POLLED = Set.of("/metrics", "/v1/status");

    private record Note(String key, String value) {}

    private final String method;
    private final String path;
    private final TraceId trace;
    private final String clientAddress;
    private final long beginNanos;
    private final List<Note> notes = new ArrayList<>(2);
    private String route = NO_ROUTE;
    private boolean routine;
    private int status;
    private long bytes;
    private long nanos;

    CallRecord(String method, String path, TraceId trace, String clientAddress, long beginNanos) {
        this.method = method;
        this.path = path;
        this.trace = trace;
        this.clientAddress = clientAddress;
        this.beginNanos = beginNanos;
    }

    String clientAddress() {
        return clientAddress;
    }

    synchronized String route() {
        return route;
    }

    synchronized int status() {
        return status;
    }

    synchronized long nanos() {
        return nanos;
    }

    synchronized void route(String name) {
        route = name;
    }

    /// A probe of the operator's, or a file of the console.
    synchronized void routine() {
        routine = true;
    }

    /// Whether nobody wants to read of it every time.
    synchronized boolean isRoutine() {
        return status < 400
                && Set.of("GET", "HEAD").contains(method)
                && (routine || POLLED.contains(path));
    }

    synchronized void status(int code) {
        status = code;
    }

    synchronized void note(String key, String value) {
        notes.add(new Note(key, value));
    }

    synchronized void end(long bytesSent) {
        bytes = bytesSent;
        nanos = System.nanoTime() - beginNanos;
    }

    @Override
    public synchronized void writeTo(LogLine line) {
        line.add("method", method)
                .add("path", path)
                .add("status", status)
                .add("ms", nanos / 1e6)
                .add("bytes", bytes)
                .add("trace", trace.value())
                .add("client", clientAddress);
        notes.forEach(note -> line.add(note.key(), note.value()));
    }

    /// Such as `POST /mcp 200 127ms laptop tools/call sandbox_execute`.
    @Override
    public synchronized void describe(TextLine line) {
        line.word(method)
                .word(path)
                .word(Integer.toString(status), TextLine.Tone.ofStatus(status))
                .time(nanos);
        for (var key : List.of("caller", "rpc", "tool")) {
            value(key).ifPresent(line::word);
        }
        value("ended").ifPresent(why -> line.word("(" + why + ")"));
        value("fault").ifPresent(number -> line.word("fault " + number, TextLine.Tone.BAD));
    }

    private Optional<String> value(String key) {
        return notes.stream().filter(note -> note.key().equals(key)).map(Note::value).findFirst();
    }
}
