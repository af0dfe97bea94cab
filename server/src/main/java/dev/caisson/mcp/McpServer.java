package dev.caisson.mcp;

import dev.caisson.broker.Broker;
import dev.caisson.http.Handler;
import dev.caisson.identity.Gate;
import dev.caisson.telemetry.Faults;
import dev.caisson.workflow.Processes;
import java.time.Clock;

/// The protocol, wired: everything a server mounts to speak MCP.
public final class McpServer implements AutoCloseable {
    private final Tasks tasks;
    private final Beats beats;
    private final Listeners listeners;
    private final Sessions sessions;
    private final McpEndpoint endpoint;

    /// @param secret of the server; what travels through clients is sealed with it, so it must
    ///   survive a restart
    public McpServer(
            Broker broker,
            Processes processes,
            Gate gate,
            byte[] secret,
            ServerInfo server,
            McpLimits limits,
            Faults faults,
            Clock clock) {
        var states = new RequestState(secret, limits, clock);
        var codec = new ModernCodec(server);
        tasks = new Tasks(processes, broker.changes(), limits);
        beats = Beats.of(limits);
        var notices = new Notices(tasks);
        var calls = new ToolCalls(broker, tasks, states, faults, limits);
        var methods = new Methods(broker, calls, tasks, states, new Greeting(server), limits);
        var desk = new Desk(methods, faults);
        listeners = new Listeners(broker.changes(), notices, beats);
        sessions = new Sessions(new SessionToken(secret, limits.sessionLife(), clock), limits);
        endpoint =
                new McpEndpoint(
                        gate,
                        new ModernPost(broker, desk, listeners, codec, beats, limits),
                        new LegacyHttp(sessions, desk, broker.changes(), notices, beats, limits));
        beats.idle().watch(sessions::sweep);
    }

    /// For `/mcp`: Streamable HTTP of every revision.
    public Handler mcp() {
        return endpoint;
    }

    /// For `/mcp/events`: the legacy stream under a path of its own.
    public Handler events() {
        return endpoint::events;
    }

    /// Ends the tasks of a former server. Call it once, before the first request.
    public void settleUnfinished() {
        tasks.settleUnfinished();
    }

    /// Ends every stream with its last words. Calls in flight go on.
    @Override
    public void close() {
        listeners.close();
        sessions.close();
        tasks.close();
        beats.close();
    }
}
