package dev.caisson.mcp;

import dev.caisson.broker.Broker;
import dev.caisson.call.Caller;
import dev.caisson.http.Handler;
import dev.caisson.identity.Gate;
import dev.caisson.share.Share;
import dev.caisson.share.Workers;
import dev.caisson.telemetry.Faults;
import dev.caisson.telemetry.Metrics;
import dev.caisson.workflow.Processes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Clock;

/// The protocol, wired: everything a server mounts to speak MCP.
public final class McpServer implements AutoCloseable {
    private final Tasks tasks;
    private final Engine engine;
    private final Sessions sessions;
    private final LegacyListening listening;
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
                        limits.subscriptionBytes(),
                        limits.part());
        tasks = new Tasks(processes, broker.changes(), limits);
        var calls = new ToolCalls(broker, tasks, states, faults, limits);
        var methods =
                new Methods(
                        broker,
                        calls,
                        tasks,
                        states,
                        new Greeting(server, broker),
                        subscriptions,
                        limits);
        var notices = new Notices(tasks);
        var beats = Beats.of(limits);
        var revocations = gate.revocations();
        engine =
                new Engine(
                        new Desk(methods, faults, broker),
                        new Listeners(broker.changes(), notices, beats, revocations, subscriptions),
                        broker.changes(),
                        notices,
                        new ModernCodec(server),
                        beats,
                        new Ledger(broker, metrics),
                        revocations,
                        limits);
        sessions =
                new Sessions(
                        new SessionToken(secret, limits.sessionLife(), clock), limits, revocations);
        listening = new LegacyListening(sessions, engine);
        var reader = new MessageReader(workers);
        endpoint =
                new McpEndpoint(
                        gate,
                        reader,
                        new ModernPost(broker, engine),
                        new LegacyPost(sessions, engine),
                        listening,
                        engine.desk());
        sse = new SseDoor(gate, reader, engine);
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
        new StdioDoor(engine, in, out).serve(caller);
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
    public void endStreams() {
        engine.listeners().close();
        sessions.endStanding();
        listening.close();
        sse.close();
        tasks.close();
    }

    /// The last thing to do, when no request is under way any more.
    @Override
    public void close() {
        endStreams();
        engine.beats().close();
    }
}
