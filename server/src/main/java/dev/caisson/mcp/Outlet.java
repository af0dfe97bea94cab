package dev.caisson.mcp;

import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/// Where the messages go that belong to one request, before its answer.
interface Outlet {
    /// @return false when it cannot reach the client
    boolean send(ObjectNode message);

    /// Lets the connection go, but not the stream; see [dev.caisson.broker.Call#releaseConnection].
    default void release(Duration retryAfter) {}

    /// Nobody hears it.
    Outlet NOWHERE = _ -> false;
}
