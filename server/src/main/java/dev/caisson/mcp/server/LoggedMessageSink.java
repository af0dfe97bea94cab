package dev.caisson.mcp.server;

import dev.caisson.share.HeldShare;
import dev.caisson.telemetry.LogLine;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// Message sink of one request over a channel, which keeps the words for the request's log line.
public final class LoggedMessageSink implements MessageSink {
    private final MessageSink channel;
    private final Map<String, String> notes = new LinkedHashMap<>();

    public LoggedMessageSink(MessageSink channel) {
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
    public HeldShare keepBody() {
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
