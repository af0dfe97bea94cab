package dev.caisson.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.caisson.broker.Broker;
import dev.caisson.broker.RecordedCall;
import dev.caisson.broker.Recording;
import dev.caisson.broker.TestBroker;
import dev.caisson.broker.ToolList;
import dev.caisson.call.Caller;
import dev.caisson.call.Changes;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.http.HttpSettings;
import dev.caisson.http.Listener;
import dev.caisson.http.Routes;
import dev.caisson.identity.TestGate;
import dev.caisson.share.TestWorkers;
import dev.caisson.telemetry.Faults;
import dev.caisson.telemetry.Metrics;
import dev.caisson.workflow.FakeProcesses;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/// The protocol on a real listener, for callers `alice` and `bob`.
public final class TestServer implements AutoCloseable {
    public final TestTools tools = new TestTools();
    final Changes changes = new Changes();
    final Metrics metrics = new Metrics();

    /// Those of tools, in the order in which they ended.
    public final List<RecordedCall> calls = new CopyOnWriteArrayList<>();

    public final ToolList offered = new ToolList(tools.all(), changes);
    public final Broker broker;
    public final McpServer mcp;
    final Listener listener;

    public TestServer() throws Exception {
        this(new FakeProcesses(), McpLimits.DEFAULT);
    }

    TestServer(FakeProcesses processes, McpLimits limits) throws Exception {
        var faults = new Faults(metrics);
        broker =
                TestBroker.of(
                        Broker.Sources.ofTools(offered),
                        changes,
                        new Recording(calls::add, metrics, Clock.systemUTC()));
        mcp =
                new McpServer(
                        broker,
                        processes,
                        new TestGate((_, authorization) -> caller(authorization)),
                        "a secret of thirty-two bytes ...".getBytes(UTF_8),
                        new ServerInfo("test", "Test", "1", "Use it."),
                        limits,
                        faults,
                        metrics,
                        TestWorkers.WORKERS,
                        Clock.systemUTC());
        mcp.settleAbandoned();
        listener =
                new Listener(
                        HttpSettings.loopback(0),
                        Routes.builder()
                                .door("/mcp", mcp.mcp())
                                .door("/mcp/events", mcp.events())
                                .door("/sse", mcp.sse())
                                .door("/message", mcp.message())
                                .build(),
                        metrics,
                        faults);
        listener.onStop(mcp::endStreams);
        listener.start();
    }

    private static Caller caller(Optional<String> authorization) {
        return authorization
                .filter(word -> !word.isEmpty())
                .map(word ->
                        new Caller(
                                word,
                                word,
                                Set.of(),
                                word.equals("bob") ? Set.of("core") : Set.of()))
                .orElseThrow(() -> new Refusal(Reason.UNAUTHORIZED, "Who are you?"));
    }

    @Override
    public void close() {
        tools.released.countDown();
        listener.close();
        mcp.close();
    }
}
