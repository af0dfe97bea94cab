package dev.caisson.mcp;

import java.time.Duration;

/// The clocks of the protocol layer.
///
/// @param quick finds answers that take long enough to become streams
/// @param calls shows that the streams of calls live, and finds out whose reader has gone
/// @param idle the same for streams that only listen
record Beats(Beat quick, Beat calls, Beat idle) implements AutoCloseable {
    private static final int LOOKS_PER_QUIET = 4;

    static Beats of(McpLimits limits) {
        Duration often = limits.quiet().dividedBy(LOOKS_PER_QUIET);
        return new Beats(
                new Beat("mcp-quick", often),
                new Beat("mcp-calls", limits.beat()),
                new Beat("mcp-idle", limits.idleBeat()));
    }

    @Override
    public void close() {
        quick.close();
        calls.close();
        idle.close();
    }
}
