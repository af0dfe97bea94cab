package dev.caisson.mcp.server;

import dev.caisson.share.HeldShare;
import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/// Message sink of one request, for what is sent before its answer.
public interface MessageSink {
    /// @return false when it cannot reach the client
    boolean send(ObjectNode message);

    /// Lets the connection go, but not the stream; see [dev.caisson.broker.Call#releaseConnection].
    default void release(Duration retryAfter) {}

    /// Keeps the memory counted that the request's body takes, for a call that outlives its
    /// request.
    default HeldShare keepBody() {
        return () -> {};
    }

    /// Adds a word to the log line of the request, such as the id of the execution it became.
    default void note(String key, String value) {}

    /// Drops every message.
    MessageSink NOWHERE = _ -> false;
}
