package dev.caisson.mcp;

import dev.caisson.share.Held;
import dev.caisson.telemetry.LogLine;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// The outlet of one request over a channel, which keeps the words for the request's log line.
final class NotedOutlet implements Outlet {
    private final Outlet channel;
    private final Map<String, String> notes = new LinkedHashMap<>();

    NotedOutlet(Outlet channel) {
        this.channel = channel;
    }

    @Override
    public boolean send(ObjectNode message) {
        return channel.send(message);
    }

    @Override
    public void release(Duration retryAfter) {
        channel.release(retryAfter);
    }

    @Override
    public Held keepBody() {
        return channel.keepBody();
    }

    @Override
    public synchronized void note(String key, String value) {
        notes.put(key, value);
    }

    synchronized void writeTo(LogLine line) {
        notes.forEach(line::add);
    }
}
