package dev.caisson.mcp.server;

import dev.caisson.call.Caller;
import dev.caisson.call.Revocations;
import dev.caisson.call.StreamEnd;
import dev.caisson.http.OutStream;

/// Upkeep of streams that stay open: heartbeats, and the end with the key of their caller.
public record OpenStreams(Heartbeats beats, Revocations revocations) {
    /// Ends a stream with the key of its caller.
    public void endWithKey(Caller caller, OutStream out) {
        revocations.register(caller.id(), () -> out.closeFor(StreamEnd.KEY_REVOKED), out::onClose);
    }

    /// Shows from time to time that a stream lives, until it is closed.
    public void keepAlive(OutStream out, Runnable beat) {
        beats.idle().watch(beat);
        out.onClose(() -> beats.idle().forget(beat));
    }
}
