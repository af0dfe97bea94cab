package dev.caisson.http;

import dev.caisson.call.TraceId;
import dev.caisson.telemetry.LogFields;
import dev.caisson.telemetry.LogLine;
import java.util.ArrayList;
import java.util.List;

/// What the one log line of a request says. It has no place for a header, a query or a body.
final class CallRecord implements LogFields {
    static final String NO_ROUTE = "none";

    private record Note(String key, String value) {}

    private final String method;
    private final String path;
    private final TraceId trace;
    private final String clientAddress;
    private final long beginNanos;
    private final List<Note> notes = new ArrayList<>(2);
    private String route = NO_ROUTE;
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
}
