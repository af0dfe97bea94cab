package dev.caisson.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.ClientFeature;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.mcp.legacy.SessionToken;
import dev.caisson.mcp.server.RequestState;
import dev.caisson.mcp.server.Sealer;
import dev.caisson.rpc.Revision;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SealedThingsTest {
    private static final byte[] SECRET = "a secret of thirty-two bytes ...".getBytes(UTF_8);
    private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");
    private static final Caller ALICE = new Caller("a", "alice", Set.of(), Set.of());
    private static final Caller BOB = new Caller("b", "bob", Set.of(), Set.of());

    private static Clock at(Instant time) {
        return Clock.fixed(time, ZoneOffset.UTC);
    }

    private static RequestState states(Instant time) {
        return new RequestState(SECRET, McpLimits.DEFAULT, at(time));
    }

    @Test
    void a_state_comes_back_to_its_caller_and_request_whatever_the_order_of_members() {
        var state = Json.object().put("x", 1);
        var sealed =
                states(NOW).seal(state, ALICE, Json.parse("{\"a\":1,\"b\":{\"c\":2,\"d\":3}}"));
        assertThat(states(NOW).open(sealed, ALICE, Json.parse("{\"b\":{\"d\":3,\"c\":2},\"a\":1}")))
                .isEqualTo(state);
    }

    @Test
    void a_state_is_refused_when_changed_stolen_moved_or_old() {
        var request = Json.object().put("name", "x");
        var sealed = states(NOW).seal(Json.object(), ALICE, request);
        var other = Json.object().put("name", "y");
        var late = NOW.plus(McpLimits.DEFAULT.questions().stateLife()).plusSeconds(1);
        refused(() -> states(NOW).open(sealed + "-TAMPERED", ALICE, request));
        refused(() -> states(NOW).open("x" + sealed, ALICE, request));
        refused(() -> states(NOW).open("no dot", ALICE, request));
        refused(() -> states(NOW).open(sealed, BOB, request));
        refused(() -> states(NOW).open(sealed, ALICE, other));
        refused(() -> states(late).open(sealed, ALICE, request));
        refused(() ->
                states(NOW)
                        .open(
                                "x".repeat(McpLimits.DEFAULT.questions().stateBytes() + 1),
                                ALICE,
                                request));
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable open) {
        assertThatThrownBy(open)
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("params.requestState");
    }

    @Test
    void a_session_id_survives_a_restart_and_serves_its_caller_alone() {
        var life = Duration.ofDays(30);
        var content =
                new SessionToken.Content(
                        Revision.R2025_06_18, Set.of(ClientFeature.SAMPLING, ClientFeature.ROOTS));
        var id = new SessionToken(SECRET, life, at(NOW)).mint(ALICE, content);
        assertThat(id).matches("[\\x21-\\x7e]+");
        var restarted = new SessionToken(SECRET, life, at(NOW.plus(life)));
        assertThat(restarted.read(ALICE, id)).contains(content);
        assertThat(restarted.read(BOB, id)).isEmpty();
        assertThat(restarted.read(ALICE, id + "x")).isEmpty();
        var late = new SessionToken(SECRET, life, at(NOW.plus(life).plusSeconds(1)));
        assertThat(late.read(ALICE, id)).isEmpty();
    }

    @Test
    void a_session_without_features_is_read_too() {
        var tokens = new SessionToken(SECRET, Duration.ofDays(1), at(NOW));
        var content = new SessionToken.Content(Revision.R2025_11_25, Set.of());
        assertThat(tokens.read(ALICE, tokens.mint(ALICE, content))).contains(content);
    }

    @Test
    void what_is_sealed_for_one_purpose_is_nothing_for_another() {
        var sealed = new Sealer(SECRET, "one").seal(new byte[] {1}, "x");
        assertThat(new Sealer(SECRET, "one").open(sealed, "x")).isPresent();
        assertThat(new Sealer(SECRET, "two").open(sealed, "x")).isEmpty();
        assertThat(new Sealer(SECRET, "one").open(sealed, "", "x")).isEmpty();
    }
}
