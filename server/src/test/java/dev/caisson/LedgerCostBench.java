package dev.caisson;

import com.sun.management.OperatingSystemMXBean;
import dev.caisson.broker.CallRecorder;
import dev.caisson.broker.TestBroker;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.TypedTool;
import dev.caisson.call.KeyedDigest;
import dev.caisson.http.HttpSettings;
import dev.caisson.http.Listener;
import dev.caisson.http.Routes;
import dev.caisson.identity.OpenGate;
import dev.caisson.ledger.Entry;
import dev.caisson.ledger.JournaledLedger;
import dev.caisson.ledger.LedgerRecorder;
import dev.caisson.mcp.McpLimits;
import dev.caisson.mcp.McpServer;
import dev.caisson.mcp.ServerInfo;
import dev.caisson.share.TestWorkers;
import dev.caisson.store.Store;
import dev.caisson.telemetry.Faults;
import dev.caisson.telemetry.Metrics;
import dev.caisson.workflow.StoredProcesses;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;

/// What the ledger costs: calls a second of a trivial tool over HTTP, with it and without it, in
/// interleaved rounds of one run. The round in the middle of each counts. A round with the ledger
/// lasts until all its entries are durable, so that none is paid for by the next round. Beside it
/// stands the processor time of a call, which other programs of the machine disturb less.
public final class LedgerCostBench {
    private static final List<Integer> CALLERS = List.of(16, 64);
    private static final int ROUNDS = 10;
    private static final Duration ROUND = Duration.ofSeconds(2);
    private static final String BODY =
            """
            {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo",\
            "arguments":{"text":"hello"},"_meta":{\
            "io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientCapabilities":{}}}}\
            """;

    /// Durable only when all before it are.
    private static final Entry LAST =
            new Entry(
                    Instant.EPOCH,
                    "bench",
                    "inside",
                    "last",
                    "sha256:0",
                    Optional.empty(),
                    0,
                    "success",
                    Duration.ZERO,
                    Optional.empty(),
                    0,
                    "0".repeat(32));

    record Input(String text) {}

    private LedgerCostBench() {}

    static void main() throws Exception {
        var directory = Files.createTempDirectory("ledger-cost");
        try (var store = Store.open(directory.resolve("caisson.db"));
                var journaled = JournaledLedger.in(store, directory)) {
            var ledger = journaled.ledger();
            var off = listener(store, _ -> {});
            var on =
                    listener(
                            store,
                            new LedgerRecorder(ledger, new KeyedDigest(new byte[] {1}), false));
            for (var listener : List.of(off, on)) {
                round(listener.address().getPort(), 64, Duration.ofSeconds(5), () -> {});
            }
            for (var callers : CALLERS) {
                compare(
                        callers,
                        off.address().getPort(),
                        on.address().getPort(),
                        () -> ledger.append(LAST));
            }
            off.close();
            on.close();
        }
    }

    /// What one round showed.
    private record Round(double perSecond, double cpuMicros) {}

    private static void compare(int callers, int off, int on, Runnable drain)
            throws InterruptedException {
        var without = new ArrayList<Round>();
        var with = new ArrayList<Round>();
        for (var round = 0; round < ROUNDS; round++) {
            without.add(round(off, callers, ROUND, () -> {}));
            with.add(round(on, callers, ROUND, drain));
        }
        System.out.printf(
                Locale.ROOT,
                "%d callers: %.0f calls/s without the ledger, %.0f with it, ratio %.2f;"
                        + " processor time of a call %.1f and %.1f us, ratio %.2f%n",
                callers,
                median(without, Round::perSecond),
                median(with, Round::perSecond),
                median(with, Round::perSecond) / median(without, Round::perSecond),
                median(without, Round::cpuMicros),
                median(with, Round::cpuMicros),
                median(without, Round::cpuMicros) / median(with, Round::cpuMicros));
    }

    private static double median(List<Round> rounds, ToDoubleFunction<Round> of) {
        return rounds.stream()
                .mapToDouble(of)
                .sorted()
                .skip(rounds.size() / 2)
                .findFirst()
                .orElseThrow();
    }

    private static Listener listener(Store store, CallRecorder recorder) throws Exception {
        var echo =
                TypedTool.withBody(
                        ToolSpec.named("echo", "Echo", "Says it again.")
                                .hinted(ToolSpec.Hints.READS),
                        Input.class,
                        (_, input, _) -> ToolResult.text(input.text()));
        var clock = Clock.systemUTC();
        var metrics = new Metrics();
        var faults = new Faults(metrics);
        var broker = TestBroker.of(List.of(echo), recorder, clock);
        var mcp =
                new McpServer(
                        broker,
                        new StoredProcesses(store, clock),
                        new OpenGate(),
                        new byte[32],
                        new ServerInfo("caisson", "Caisson", "0.1.0", (_, _) -> "Use it."),
                        McpLimits.DEFAULT,
                        faults,
                        metrics,
                        TestWorkers.WORKERS,
                        clock);
        var routes = Routes.builder().exact("/mcp", mcp.mcp()).build();
        var listener = new Listener(HttpSettings.loopback(0), routes, metrics, faults);
        listener.start();
        return listener;
    }

    private static Round round(int port, int callers, Duration time, Runnable drain)
            throws InterruptedException {
        var done = new LongAdder();
        var cpu = cpuNanos();
        var start = System.nanoTime();
        var until = start + time.toNanos();
        try (var threads = Executors.newFixedThreadPool(callers)) {
            for (var i = 0; i < callers; i++) {
                threads.execute(() -> call(port, until, done));
            }
        }
        drain.run();
        var nanos = System.nanoTime() - start;
        var calls = (double) done.sum();
        return new Round(calls * 1e9 / nanos, (cpuNanos() - cpu) / 1e3 / calls);
    }

    /// Of the whole process, both sides of the calls in it.
    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private static void call(int port, long until, LongAdder done) {
        var request =
                ("POST /mcp HTTP/1.1\r\nHost: localhost:"
                                + port
                                + "\r\nContent-Type: application/json\r\n"
                                + "Accept: application/json, text/event-stream\r\n"
                                + "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n"
                                + "Mcp-Name: echo\r\nContent-Length: "
                                + BODY.length()
                                + "\r\n\r\n"
                                + BODY)
                        .getBytes(StandardCharsets.US_ASCII);
        try (var socket = new Socket("localhost", port)) {
            socket.setTcpNoDelay(true);
            var in = new BufferedInputStream(socket.getInputStream());
            while (System.nanoTime() - until < 0) {
                socket.getOutputStream().write(request);
                readAnswer(in);
                done.increment();
            }
        } catch (IOException failure) {
            throw new IllegalStateException("a call failed", failure);
        }
    }

    private static void readAnswer(InputStream in) throws IOException {
        var first = line(in);
        if (!first.contains(" 200 ")) {
            throw new IOException("unexpected " + first);
        }
        var length = -1;
        for (var line = line(in); !line.isEmpty(); line = line(in)) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        var body = length < 0 ? chunks(in) : text(in, length);
        if (!body.contains("hello")) {
            throw new IOException("unexpected " + body);
        }
    }

    /// A slow answer is a stream.
    private static String chunks(InputStream in) throws IOException {
        var all = new StringBuilder();
        for (var size = chunkSize(in); size > 0; size = chunkSize(in)) {
            all.append(text(in, size));
            line(in);
        }
        line(in);
        return all.toString();
    }

    private static int chunkSize(InputStream in) throws IOException {
        return Integer.parseInt(line(in), 16);
    }

    private static String text(InputStream in, int length) throws IOException {
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (var next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("the connection was closed");
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }
}
