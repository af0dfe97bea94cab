package dev.caisson.mcp;

import dev.caisson.call.StreamEnd;
import dev.caisson.http.OutStream;
import java.time.Duration;

/// Events that are gone once they are sent.
record PlainSse(OutStream out) implements Sse {
    private static final byte[] ALIVE = Sse.comment("alive");

    @Override
    public boolean event(byte[] json) {
        return out.write(Sse.frame("event: message\n", json));
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
