package dev.caisson.mcp.server;

import dev.caisson.mcp.McpLimits;
import java.time.Duration;

/// Heartbeat timers of the protocol layer.
///
/// @param quick finds answers that take long enough to become streams
/// @param calls shows that the streams of calls live, and finds out whose reader has gone
/// @param idle the same for streams that only listen
public record Heartbeats(Heartbeat quick, Heartbeat calls, Heartbeat idle)
        implements AutoCloseable {
    private static final int LOOKS_PER_QUIET = 4;

    public static Heartbeats of(McpLimits limits) {
        Duration often = limits.replies().quiet().dividedBy(LOOKS_PER_QUIET);
        return new Heartbeats(
                new Heartbeat("mcp-quick", often),
                new Heartbeat("mcp-calls", limits.replies().beat()),
                new Heartbeat("mcp-idle", limits.replies().idleBeat()));
    }

    @Override
    public void close() {
        quick.close();
        calls.close();
        idle.close();
    }
}
