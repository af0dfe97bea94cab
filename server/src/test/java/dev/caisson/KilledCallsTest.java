package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.call.KeyedDigest;
import dev.caisson.egress.RawHttpServer;
import dev.caisson.json.Json;
import dev.caisson.ledger.UpstreamCall;
import dev.caisson.ledger.UpstreamCall.State;
import dev.caisson.ledger.UpstreamCallLimits;
import dev.caisson.ledger.UpstreamCalls;
import dev.caisson.store.Store;
import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server with many calls of another server's tool under way is killed at each point between the
/// first note of a call and its answer; the other server counts what it got. Nothing comes twice,
/// nothing that came is without a record, and of each call it is said truly what is known.
@Tag("root")
@Timeout(180)
final class KilledCallsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LEDGER = "dev.caisson.ledger.";
    private static final int CALLS = 1_000;
    private static final int CALLERS = 16;

    /// Points of a call at which the server is killed, in their order.
    private enum Point {
        NOTED(Breakpoint.Place.end(LEDGER + "Intents", "note"), State.NOT_SENT),
        BEFORE_THE_BYTE(Breakpoint.Place.begin(LEDGER + "Intents$Noted", "sends"), State.NOT_SENT),
        AFTER_THE_BYTE(Breakpoint.Place.end(LEDGER + "Intents$Noted", "sends"), State.UNKNOWN),
        AT_THE_OTHER_SERVER,
        ANSWERED(Breakpoint.Place.begin(LEDGER + "UpstreamCalls", "record"), State.UNKNOWN),
        ENDED(Breakpoint.Place.begin(LEDGER + "Intents$Noted", "settled"), State.DONE);

        private final Optional<Breakpoint.Place> place;

        /// The state that at least the call has that came there.
        private final State state;

        Point() {
            place = Optional.empty();
            state = State.UNKNOWN;
        }

        Point(Breakpoint.Place place, State state) {
            this.place = Optional.of(place);
            this.state = state;
        }
    }

    @TempDir Path directory;

    private final Map<Integer, AtomicInteger> counted = new ConcurrentHashMap<>();
    private final Map<String, Integer> keys = new ConcurrentHashMap<>();
    private final Set<Integer> answered = ConcurrentHashMap.newKeySet();
    private final AtomicInteger last = new AtomicInteger();
    private volatile int killedAt = Integer.MAX_VALUE;
    private volatile CountDownLatch came = new CountDownLatch(1);
    private final HttpClient client = HttpClient.newHttpClient();
    private RawHttpServer upstream;
    private Path file;

    @BeforeEach
    void open() throws IOException {
        upstream = new RawHttpServer(this::answer);
        file = directory.resolve("upstreams.yaml");
        Files.writeString(
                file,
                """
                till:
                  url: %s
                  limits: {concurrency: 64}
                  calls: {pay: {effect: write}}
                """
                        .formatted(upstream.address("/mcp")));
    }

    @AfterEach
    void close() throws IOException {
        upstream.close();
        client.close();
    }

    private void answer(RawHttpServer.Request request, OutputStream out) throws IOException {
        var message = Json.parse(request.body());
        var answer = Json.object().put("jsonrpc", "2.0");
        answer.set("id", message.path("id"));
        switch (message.path("method").asString("")) {
            case "initialize" -> {
                var result = answer.putObject("result").put("protocolVersion", "2025-11-25");
                result.putObject("capabilities").putObject("tools");
                result.putObject("serverInfo").put("name", "till").put("version", "1");
            }
            case "tools/list" ->
                    answer.putObject("result")
                            .putArray("tools")
                            .add(HttpUpstream.tool("pay", "Pays."));
            case "tools/call" -> {
                int number = message.path("params").path("arguments").path("number").intValue();
                keys.put(request.header("Idempotency-Key"), number);
                int before =
                        counted.computeIfAbsent(number, _ -> new AtomicInteger()).getAndIncrement();
                assertThat(before).as("call %d came before", number).isZero();
                if (number >= killedAt) {
                    came.countDown();
                    throw new IOException("the server is killed now");
                }
                answer.putObject("result")
                        .putArray("content")
                        .addObject()
                        .put("type", "text")
                        .put("text", "paid");
            }
            default -> {
                var status = message.has("id") ? 400 : 202;
                out.write(RawHttpServer.answer(status, "text/plain", new byte[0]));
                return;
            }
        }
        out.write(RawHttpServer.answer(200, "application/json", Json.bytes(answer)));
    }

    private ChildServer server(List<String> options) throws IOException {
        return new ChildServer(
                directory.resolve("data"),
                PATIENCE,
                options,
                List.of(
                        "upstreams.file=" + file,
                        "upstreams.private_hosts=127.0.0.1",
                        "policy.default=allow",
                        "sandbox.pool_memory_bytes=0B"));
    }

    /// @return whether it was answered with what the tool says
    private boolean call(ChildServer server) {
        int number = last.incrementAndGet();
        var body = Json.object();
        body.putObject("arguments").put("number", number);
        try {
            boolean paid =
                    server.post(client, "/v1/tools/till/pay/call", body)
                            .path("ok")
                            .asBoolean(false);
            if (paid) {
                answered.add(number);
            }
            return paid;
        } catch (Exception killed) {
            return false;
        }
    }

    @Test
    void nothing_comes_twice_and_nothing_is_lost_wherever_the_server_is_killed() throws Exception {
        var firsts = new ArrayList<Integer>();
        for (var point : Point.values()) {
            firsts.add(last.get() + 1);
            killAt(point, Math.ceilDiv(CALLS, Point.values().length));
        }
        try (var _ = server(List.of());
                var store = Store.open(directory.resolve("data/caisson.db"))) {
            var rows = rows(store);
            assertNothingIsLost(rows);
            for (var point : Point.values()) {
                int first = firsts.get(point.ordinal());
                assertThat(rows.values())
                        .as("calls of the server that was killed at %s", point)
                        .anyMatch(row -> number(row) >= first && row.state() == point.state);
            }
        }
        assertThat(last).hasValueGreaterThanOrEqualTo(CALLS);
    }

    private void killAt(Point point, int calls) throws Exception {
        try (var breakpoint = new Breakpoint();
                var server = server(breakpoint.options())) {
            var machine = breakpoint.machine();
            killedAt = Integer.MAX_VALUE;
            await().atMost(PATIENCE).until(() -> call(server));
            int times = calls - CALLERS;
            came = new CountDownLatch(1);
            killedAt = point.place.isPresent() ? Integer.MAX_VALUE : last.get() + times;
            var reached = point.place.map(place -> Breakpoint.reached(machine, place, times));
            var end = last.get() + calls;
            var callers = new ArrayList<Thread>();
            for (int caller = 0; caller < CALLERS; caller++) {
                callers.add(
                        Thread.ofVirtual()
                                .start(() -> {
                                    while (last.get() < end) {
                                        call(server);
                                    }
                                }));
            }
            if (reached.isPresent()) {
                Breakpoint.await(reached.get(), PATIENCE);
            } else {
                assertThat(came.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            }
            server.kill();
            for (var caller : callers) {
                caller.join();
            }
        }
    }

    private static Map<String, UpstreamCall> rows(Store store) {
        var calls =
                new UpstreamCalls(
                        _ -> {},
                        store,
                        new KeyedDigest(new byte[] {1}),
                        Clock.systemUTC(),
                        new UpstreamCallLimits(true, true, 1 << 30),
                        (_, _, arguments) -> arguments);
        return calls.since(Instant.EPOCH, Optional.empty(), 2 * CALLS).stream()
                .collect(Collectors.toMap(UpstreamCall::id, Function.identity()));
    }

    private static int number(UpstreamCall row) {
        return row.arguments().orElseThrow().path("number").intValue();
    }

    private void assertNothingIsLost(Map<String, UpstreamCall> rows) {
        assertThat(counted.values()).as("doubles").allMatch(count -> count.get() == 1);
        assertThat(rows.keySet()).as("what came has a record").containsAll(keys.keySet());
        assertThat(rows.values()).extracting(UpstreamCall::state).doesNotContain(State.INTENDED);
        for (var row : rows.values()) {
            switch (row.state()) {
                case DONE, UNKNOWN -> {}
                case NOT_SENT -> assertThat(keys).doesNotContainKey(row.id());
                default -> throw new AssertionError(row.toString());
            }
        }
        var done =
                rows.values().stream()
                        .filter(row -> row.state() == State.DONE)
                        .collect(Collectors.toMap(KilledCallsTest::number, UpstreamCall::id));
        assertThat(keys.keySet()).as("what is done came").containsAll(done.values());
        assertThat(done.keySet()).as("what was answered is done").containsAll(answered);
        assertThat(answered).hasSizeGreaterThan(CALLS / 4);
    }
}
