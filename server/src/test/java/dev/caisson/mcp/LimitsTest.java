package dev.caisson.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.caisson.RecordCopy;
import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Revocations;
import dev.caisson.json.Json;
import dev.caisson.mcp.http.SseWriter;
import dev.caisson.mcp.legacy.ConnectedClient;
import dev.caisson.mcp.legacy.LegacySession;
import dev.caisson.mcp.legacy.LegacySessions;
import dev.caisson.mcp.legacy.LegacyStream;
import dev.caisson.mcp.legacy.ReplayBudget;
import dev.caisson.mcp.legacy.SessionToken;
import dev.caisson.mcp.server.Cancellation;
import dev.caisson.mcp.server.McpRequest;
import dev.caisson.mcp.server.RequestState;
import dev.caisson.rpc.RequestId;
import dev.caisson.rpc.Revision;
import dev.caisson.share.ShareLimit;
import dev.caisson.workflow.FakeProcesses;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Each limit from both of its sides.
class LimitsTest {
    private static final Caller ALICE = new Caller("alice", "alice", Set.of(), Set.of());
    private static final Caller BOB = new Caller("bob", "bob", Set.of(), Set.of());
    private static final byte[] SECRET = "a secret of thirty-two bytes ...".getBytes(UTF_8);
    private static final McpRequest.Initialize HANDSHAKE =
            new McpRequest.Initialize(Revision.R2025_11_25, Set.of());
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SOON = Duration.ofNanos(1);

    private static LegacySessions sessions(Object... changed) {
        var limits = RecordCopy.with(McpLimits.DEFAULT, changed);
        return new LegacySessions(
                new SessionToken(SECRET, limits.sessions().life(), Clock.systemUTC()),
                limits,
                new Revocations());
    }

    private static void requireNoCapacity(Runnable action) {
        assertThatThrownBy(action::run)
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY));
    }

    @Test
    void no_limit_can_be_nothing() {
        int seen = requireNoneCanBeNothing(McpLimits.class, "");

        assertThat(seen).isEqualTo(20);
    }

    private static int requireNoneCanBeNothing(Class<?> type, String prefix) {
        int seen = 0;
        for (var component : type.getRecordComponents()) {
            var name = prefix + component.getName();
            if (component.getType() == ShareLimit.class || name.endsWith("answerWithin")) {
                continue; // The first checks itself; without the second no call is answered early.
            } else if (component.getType().isRecord()) {
                seen += requireNoneCanBeNothing(component.getType(), name + ".");
                continue;
            }
            Object nothing =
                    component.getType() == int.class
                            ? (Object) 0
                            : component.getType() == long.class ? (Object) 0L : Duration.ZERO;
            assertThatThrownBy(() -> RecordCopy.with(McpLimits.DEFAULT, name, nothing))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("must be positive");
            seen++;
        }
        return seen;
    }

    @Test
    void beyond_the_sessions_the_idlest_is_forgotten_and_comes_back_by_its_id() {
        var sessions = sessions("sessions.count", 2);
        var first = sessions.begin(ALICE, HANDSHAKE);
        var second = sessions.begin(ALICE, HANDSHAKE);
        assertThat(sessions.find(ALICE, first.id())).containsSame(first);
        sessions.begin(ALICE, HANDSHAKE);
        assertThat(sessions.find(ALICE, first.id())).containsSame(first);
        assertThat(sessions.find(ALICE, second.id())).isPresent().get().isNotSameAs(second);
    }

    @Test
    void beyond_the_sessions_the_caller_with_most_makes_room() {
        var sessions = sessions("sessions.count", 3);
        var quiet = sessions.begin(BOB, HANDSHAKE);
        for (int i = 0; i < 10; i++) {
            sessions.begin(ALICE, HANDSHAKE);
        }
        assertThat(sessions.find(BOB, quiet.id())).containsSame(quiet);
    }

    @Test
    void when_all_sessions_work_there_is_no_room_for_another() {
        var sessions = sessions("sessions.count", 1);
        var busy = sessions.begin(ALICE, HANDSHAKE);
        var work = new Cancellation();
        var id = new RequestId(Json.tree(1));
        busy.peer().begin(id, work);
        requireNoCapacity(() -> sessions.begin(ALICE, HANDSHAKE));
        busy.peer().end(id, work);
        assertThat(sessions.begin(ALICE, HANDSHAKE)).isNotSameAs(busy);
    }

    @Test
    void a_session_is_forgotten_when_idle_for_long_enough_and_not_before() {
        for (var idle : Map.of(LONG, true, SOON, false).entrySet()) {
            var sessions = sessions("sessions.idle", idle.getKey());
            var session = sessions.begin(ALICE, HANDSHAKE);
            sessions.sweep();
            var same = sessions.find(ALICE, session.id()).filter(found -> found == session);
            assertThat(same.isPresent()).isEqualTo(idle.getValue());
        }
    }

    @Test
    void a_session_id_works_for_its_life_and_not_longer() {
        var begin = Instant.parse("2026-11-01T00:00:00Z");
        var content = new SessionToken.Content(Revision.R2025_11_25, Set.of());
        var id = token(begin).mint(ALICE, content);
        assertThat(token(begin.plus(LONG)).read(ALICE, id)).isPresent();
        assertThat(token(begin.plus(LONG).plusSeconds(2)).read(ALICE, id)).isEmpty();
    }

    private static SessionToken token(Instant now) {
        return new SessionToken(SECRET, LONG, Clock.fixed(now, ZoneOffset.UTC));
    }

    @Test
    void a_session_streams_so_many_calls_and_forgets_finished_ones_first() {
        var session = sessions("sessions.streams", 2).begin(ALICE, HANDSHAKE);
        var first = session.open(new FakeStream());
        session.open(new FakeStream());
        requireNoCapacity(() -> session.open(new FakeStream()));
        first.end();
        assertThat(session.open(new FakeStream())).isNotNull();
        requireNoCapacity(() -> session.open(new FakeStream()));
    }

    @Test
    void a_stream_keeps_as_many_bytes_as_it_may() {
        var frame = SseWriter.frame("event: message\nid: c1-1\n", "{}".getBytes(UTF_8)).length;
        var limits = RecordCopy.with(McpLimits.DEFAULT, "replay.streamBytes", 2 * frame);
        var replay = new ReplayBudget(LONG.toMillis());
        var stream = new LegacyStream("c1", limits, replay, true);
        stream.event("{}".getBytes(UTF_8));
        stream.event("{}".getBytes(UTF_8));
        assertThat(resumed(stream)).contains("c1-1\n", "c1-2\n");
        stream.event("{}".getBytes(UTF_8));
        assertThat(resumed(stream)).contains("c1-2\n", "c1-3\n").doesNotContain("c1-1\n");
        assertThat(replay.held()).isEqualTo(2L * frame);
    }

    private static String resumed(LegacyStream stream) {
        var reader = new FakeStream();
        stream.resume(reader, 0);
        return reader.text();
    }

    @Test
    void all_sessions_together_keep_so_much_and_the_idlest_lose_theirs() {
        var sessions = sessions("replay.bytes", 2_000L);
        var idle = sessions.begin(ALICE, HANDSHAKE).open(new FakeStream());
        var busy = sessions.begin(ALICE, HANDSHAKE).open(new FakeStream());
        var event = ("\"" + "x".repeat(800) + "\"").getBytes(UTF_8);
        idle.event(event);
        busy.event(event);
        assertThat(resumed(idle)).contains("xxx");
        busy.event(event);
        assertThat(resumed(idle)).doesNotContain("xxx");
        assertThat(resumed(busy)).contains("-1\n").contains("-2\n");
    }

    @Test
    void what_a_session_kept_is_given_back_with_it() {
        var limits = McpLimits.DEFAULT;
        var replay = new ReplayBudget(limits.replay().bytes());
        var peer = new ConnectedClient(Revision.R2025_11_25, Set.of());
        var session = new LegacySession("s", "alice", peer, limits, replay);
        session.open(new FakeStream()).event(new byte[100]);
        assertThat(replay.held()).isGreaterThan(100);
        session.end();
        assertThat(replay.held()).isZero();
    }

    @Test
    void a_state_is_as_large_as_a_client_can_bring_back() {
        var request = Json.object().put("method", "tools/call");
        var states =
                new RequestState(
                        SECRET,
                        RecordCopy.with(McpLimits.DEFAULT, "questions.stateBytes", 1_000),
                        Clock.systemUTC());
        var small = Json.object().put("text", "x".repeat(500));
        assertThat(states.open(states.seal(small, ALICE, request), ALICE, request))
                .isEqualTo(small);
        assertThatThrownBy(() -> states.seal(small.put("more", "x".repeat(500)), ALICE, request))
                .hasMessageContaining("larger than 1000 bytes");
        assertThatThrownBy(() -> states.open("x".repeat(1_001), ALICE, request))
                .hasMessageContaining("larger than 1000 bytes");
    }

    @Test
    void a_client_answers_in_time_or_the_call_ends() throws Exception {
        var limits =
                RecordCopy.with(
                        McpLimits.DEFAULT, "questions.answerTimeout", Duration.ofMillis(50));
        try (var server = new TestServer(new FakeProcesses(), limits);
                var alice = new TestClient(server, "alice")) {
            alice.initialize();
            var result = alice.answer(alice.legacyTool("1", "ask")).path("result");
            assertThat(result.path("isError").booleanValue()).isTrue();
            assertThat(result.path("structuredContent").path("status").stringValue())
                    .isEqualTo("timed_out");
        }
    }

    @Test
    void a_connection_has_so_many_calls_in_flight() throws Exception {
        var limits = RecordCopy.with(McpLimits.DEFAULT, "channels.calls", 2);
        try (var server = new TestServer(new FakeProcesses(), limits);
                var alice = new TestClient(server, "alice");
                var stream = alice.open(alice.request("/sse").GET())) {
            var path = stream.line("data: ").orElseThrow().substring("data: ".length());
            for (int id = 1; id <= 3; id++) {
                alice.send(alice.post(path, waiting(id)));
            }
            var refused = stream.next().orElseThrow();
            assertThat(refused.path("id").intValue()).isEqualTo(3);
            assertThat(refused.path("error").path("message").stringValue()).contains("in flight");
            await().atMost(Duration.ofSeconds(30)).until(() -> server.tools.started.get() == 2);
            server.tools.released.countDown();
            assertThat(stream.next().orElseThrow().has("result")).isTrue();
            assertThat(stream.next().orElseThrow().has("result")).isTrue();
        }
    }

    private static String waiting(int id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"wait\"}}"
                .formatted(id);
    }
}
