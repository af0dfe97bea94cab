package dev.caisson.mcp;

import dev.caisson.share.Held;
import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/// Where the messages go that belong to one request, before its answer.
interface Outlet {
    /// @return false when it cannot reach the client
    boolean send(ObjectNode message);

    /// Lets the connection go, but not the stream; see [dev.caisson.broker.Call#releaseConnection].
    default void release(Duration retryAfter) {}

    /// Keeps the memory counted that the request's body takes, for a call that outlives its
    /// request.
    default Held keepBody() {
        return () -> {};
    }

    /// Adds a word to the log line of the request, such as the id of the execution it became.
    default void note(String key, String value) {}

    /// Drops every message.
    Outlet NOWHERE = _ -> false;
}
