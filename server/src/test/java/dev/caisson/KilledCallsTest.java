package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.call.KeyedDigest;
import dev.caisson.json.Json;
import dev.caisson.ledger.UpstreamCall;
import dev.caisson.ledger.UpstreamCall.State;
import dev.caisson.ledger.UpstreamCallLimits;
import dev.caisson.ledger.UpstreamCalls;
import dev.caisson.store.Store;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

    /// Point of a call at which the server is killed.
    ///
    /// @param place empty for the other server, which has got the call then
    /// @param state that at least the call has that came there
    private record Point(String name, Optional<Breakpoint.Place> place, State state) {
        static Point at(String name, Breakpoint.Place place, State state) {
            return new Point(name, Optional.of(place), state);
        }
    }

    /// In the order in which a call comes there.
    private static final List<Point> POINTS =
            List.of(
                    Point.at(
                            "noted",
                            Breakpoint.Place.end(LEDGER + "Intents", "note"),
                            State.NOT_SENT),
                    Point.at(
                            "in the database, before the byte",
                            Breakpoint.Place.begin(LEDGER + "Intents$Noted", "sends"),
                            State.NOT_SENT),
                    Point.at(
                            "after the byte",
                            Breakpoint.Place.end(LEDGER + "Intents$Noted", "sends"),
                            State.UNKNOWN),
                    new Point("at the other server", Optional.empty(), State.UNKNOWN),
                    Point.at(
                            "answered",
                            Breakpoint.Place.begin(LEDGER + "UpstreamCalls", "record"),
                            State.UNKNOWN),
                    Point.at(
                            "its end in the database",
                            Breakpoint.Place.begin(LEDGER + "Intents$Noted", "settled"),
                            State.DONE));

    @TempDir Path directory;

    private final Set<Integer> answered = ConcurrentHashMap.newKeySet();
    private final AtomicInteger last = new AtomicInteger();
    private final HttpClient client = HttpClient.newHttpClient();
    private TillUpstream upstream;
    private Path file;

    @BeforeEach
    void open() throws IOException {
        upstream = new TillUpstream();
        file = directory.resolve("upstreams.yaml");
        Files.writeString(
                file,
                """
                till:
                  url: %s
                  limits: {concurrency: 64}
                  calls: {pay: {effect: write}}
                """
                        .formatted(upstream.url()));
    }

    @AfterEach
    void close() throws IOException {
        upstream.close();
        client.close();
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
        var firsts = new LinkedHashMap<Point, Integer>();
        for (var point : POINTS) {
            firsts.put(point, last.get() + 1);
            killAt(point, Math.ceilDiv(CALLS, POINTS.size()));
        }
        try (var _ = server(List.of());
                var store = Store.open(directory.resolve("data/caisson.db"))) {
            var rows = rows(store);
            assertNothingIsLost(rows);
            firsts.forEach((point, first) ->
                    assertThat(rows.values())
                            .as("calls of the server that was killed at %s", point.name())
                            .anyMatch(row -> number(row) >= first && row.state() == point.state()));
        }
        assertThat(last).hasValueGreaterThanOrEqualTo(CALLS);
    }

    private void killAt(Point point, int calls) throws Exception {
        try (var breakpoint = new Breakpoint();
                var server = server(breakpoint.options())) {
            var machine = breakpoint.machine();
            upstream.breaks = _ -> false;
            await().atMost(PATIENCE).until(() -> call(server));
            int times = calls - CALLERS;
            int first = last.get() + times;
            upstream.breaks = number -> point.place().isEmpty() && number >= first;
            var reached = point.place().map(place -> Breakpoint.reached(machine, place, times));
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
                assertThat(upstream.broken.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
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
        assertThat(upstream.came)
                .as("doubles")
                .extracting(TillUpstream.Payment::number)
                .doesNotHaveDuplicates();
        var keys = upstream.made;
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
