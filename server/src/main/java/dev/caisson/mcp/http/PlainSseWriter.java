package dev.caisson.mcp.http;

import dev.caisson.call.StreamEnd;
import dev.caisson.http.OutStream;
import java.time.Duration;

/// Events that are gone once they are sent.
public record PlainSseWriter(OutStream out) implements SseWriter {
    private static final byte[] ALIVE = SseWriter.comment("alive");

    @Override
    public boolean event(byte[] json) {
        return out.write(SseWriter.frame("event: message\n", json));
    }

    @Override
    public void beat() {
        out.write(ALIVE);
    }

    @Override
    public void release(Duration retryAfter) {}

    @Override
    public void end() {
        out.close();
    }

    @Override
    public void end(StreamEnd why) {
        out.closeFor(why);
    }
}
