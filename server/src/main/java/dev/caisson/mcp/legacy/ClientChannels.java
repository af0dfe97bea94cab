package dev.caisson.mcp.legacy;

import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.mcp.McpLimits;
import dev.caisson.mcp.server.ChangeSubscriptions;
import dev.caisson.mcp.server.Dispatcher;
import dev.caisson.mcp.server.MessageSink;
import dev.caisson.rpc.Revision;

/// Factory of channels to clients that send everything over one connection.
public record ClientChannels(
        Dispatcher dispatcher, ChangeSubscriptions subscriptions, McpLimits.Channels limits) {
    /// @param revision the client speaks until it says otherwise
    public ClientChannel open(Door door, Caller caller, Revision revision, MessageSink outlet) {
        return new ClientChannel(door, caller, this, revision, outlet);
    }
}
