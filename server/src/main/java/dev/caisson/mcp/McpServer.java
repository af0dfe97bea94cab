package dev.caisson.mcp;

import dev.caisson.broker.Broker;
import dev.caisson.call.Caller;
import dev.caisson.http.Handler;
import dev.caisson.identity.Gate;
import dev.caisson.mcp.http.McpEndpoint;
import dev.caisson.mcp.http.ModernPost;
import dev.caisson.mcp.legacy.ClientChannels;
import dev.caisson.mcp.legacy.LegacyGet;
import dev.caisson.mcp.legacy.LegacyPost;
import dev.caisson.mcp.legacy.LegacySessions;
import dev.caisson.mcp.legacy.SessionToken;
import dev.caisson.mcp.legacy.SseDoor;
import dev.caisson.mcp.server.ChangeNotifications;
import dev.caisson.mcp.server.ChangeSubscriptions;
import dev.caisson.mcp.server.Dispatcher;
import dev.caisson.mcp.server.Heartbeats;
import dev.caisson.mcp.server.MessageReader;
import dev.caisson.mcp.server.Methods;
import dev.caisson.mcp.server.ModernCodec;
import dev.caisson.mcp.server.OpenStreams;
import dev.caisson.mcp.server.RequestLog;
import dev.caisson.mcp.server.RequestState;
import dev.caisson.mcp.server.ServerCapabilities;
import dev.caisson.mcp.server.Tasks;
import dev.caisson.mcp.server.ToolCalls;
import dev.caisson.mcp.stdio.StdioDoor;
import dev.caisson.share.Share;
import dev.caisson.share.Workers;
import dev.caisson.telemetry.Faults;
import dev.caisson.telemetry.Metrics;
import dev.caisson.workflow.Processes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;

/// MCP server: wiring of everything that is mounted to speak the protocol.
public final class McpServer implements AutoCloseable {
    private final Tasks tasks;
    private final ToolCalls calls;
    private final Heartbeats beats;
    private final ChangeSubscriptions listeners;
    private final ClientChannels channels;
    private final LegacySessions sessions;
    private final LegacyGet listening;
    private final McpEndpoint endpoint;
    private final SseDoor sse;

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
            Metrics metrics,
            Workers workers,
            Clock clock) {
        var states = new RequestState(secret, limits, clock);
        var subscriptions =
                new Share(
                        "subscriptions",
                        "bytes of memory for subscriptions",
                        limits.subscriptions().bytes(),
                        limits.subscriptions().part());
        tasks = new Tasks(processes, broker.changes(), limits);
        calls = new ToolCalls(broker, tasks, states, faults, limits);
        var methods =
                new Methods(
                        broker,
                        calls,
                        tasks,
                        states,
                        new ServerCapabilities(server, broker),
                        subscriptions,
                        limits);
        beats = Heartbeats.of(limits);
        var revocations = gate.revocations();
        var dispatcher =
                new Dispatcher(
                        methods, faults, broker, new RequestLog(metrics), new ModernCodec(server));
        var streams = new OpenStreams(beats, revocations);
        listeners =
                new ChangeSubscriptions(
                        broker.changes(),
                        new ChangeNotifications(tasks),
                        beats,
                        revocations,
                        subscriptions);
        channels = new ClientChannels(dispatcher, listeners, limits.channels());
        sessions =
                new LegacySessions(
                        new SessionToken(secret, limits.sessions().life(), clock),
                        limits,
                        revocations);
        listening = new LegacyGet(sessions, streams, listeners);
        var reader = new MessageReader(workers);
        var quiet = limits.replies().quiet();
        endpoint =
                new McpEndpoint(
                        gate,
                        reader,
                        new ModernPost(dispatcher, listeners, beats, quiet),
                        new LegacyPost(sessions, dispatcher, beats, quiet),
                        listening,
                        dispatcher);
        sse = new SseDoor(gate, reader, channels, streams);
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

    /// For `/sse`: the stream of HTTP+SSE, which is 2024-11-05.
    public Handler sse() {
        return sse::stream;
    }

    /// For `/message`: where clients of that stream post.
    public Handler message() {
        return sse::message;
    }

    /// Serves one client over its standard streams, until the input ends.
    public void stdio(Caller caller, InputStream in, OutputStream out)
            throws IOException, InterruptedException {
        new StdioDoor(channels, in, out).serve(caller);
    }

    /// Ends the tasks of servers that are gone.
    ///
    /// @return how many
    public int settleAbandoned() {
        return tasks.settleAbandoned();
    }

    /// Says their last words on the streams that only listen, and ends the tasks as stopped. Calls
    /// in flight go on, and so do the streams that wait for their answers. The first thing to do
    /// when the server stops.
    ///
    /// @param atMost how long calls of a connection of HTTP+SSE have before its stream ends
    public void endStreams(Duration atMost) {
        listeners.close();
        sessions.endStanding();
        listening.close();
        sse.close(atMost);
        tasks.close();
    }

    /// The same with the time that every channel has.
    public void endStreams() {
        endStreams(channels.limits().drain());
    }

    /// Ends the programs that run on after their calls were answered, when no request is under way
    /// any more.
    public void endDetached(Duration atMost) {
        calls.endDetached(atMost);
    }

    /// The last thing to do, when no request is under way any more.
    @Override
    public void close() {
        endStreams();
        beats.close();
    }
}
