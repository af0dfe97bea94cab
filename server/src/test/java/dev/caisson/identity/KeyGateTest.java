package dev.caisson.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.store.StoreTestCase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class KeyGateTest extends StoreTestCase {
    private static final String HERE = "192.0.2.7";

    private final TestClock clock = new TestClock();
    private Keys keys;
    private KeyGate gate;

    @BeforeEach
    void open() {
        keys = new Keys(store, clock);
        gate = new KeyGate(keys, Optional.of("the-token"), clock, clock::nanoTime);
    }

    private NewKey create() {
        return keys.create("laptop", Set.of(Scope.RUN), Set.of(), Optional.empty());
    }

    private Caller admit(String authorization) {
        return gate.admit(Door.MCP, HERE, Optional.of(authorization));
    }

    private Refusal refused(String address, Optional<String> authorization) {
        return catchThrowableOfType(
                Refusal.class, () -> gate.admit(Door.MCP, address, authorization));
    }

    private Refusal refused(String authorization) {
        return refused(HERE, Optional.of(authorization));
    }

    @Test
    void the_holder_of_a_key_is_admitted_as_its_caller() {
        var key = create();
        assertThat(admit("Bearer " + key.secret())).isEqualTo(key.info().caller());
        assertThat(admit("bearer   " + key.secret() + " ")).isEqualTo(key.info().caller());
    }

    @Test
    void the_holder_of_the_token_may_do_everything() {
        var caller = admit("Bearer the-token");
        assertThat(caller.scopes()).containsExactlyInAnyOrder(Scope.values());
        assertThat(caller.sees("anything")).isTrue();
    }

    @Test
    void without_a_token_no_token_works() {
        var none = new KeyGate(keys, Optional.empty(), clock, clock::nanoTime);
        var blank = new KeyGate(keys, Optional.of(" "), clock, clock::nanoTime);
        for (var one : List.of(none, blank)) {
            assertThat(
                            catchThrowableOfType(
                                    Refusal.class,
                                    () -> one.admit(Door.MCP, HERE, Optional.of("Bearer  "))))
                    .isNotNull();
        }
    }

    @Test
    void no_key_says_how_to_send_one() {
        var refusal = refused("10.0.1.0", Optional.empty());
        assertThat(refusal.reason()).isEqualTo(Reason.UNAUTHORIZED);
        assertThat(refusal.sentence())
                .isEqualTo(
                        "No API key was sent. Send one as the header `Authorization: Bearer"
                                + " <key>`.");
    }

    @Test
    void another_form_of_header_says_which_it_must_have() {
        var secret = create().secret();
        var wrong =
                List.of(
                        "",
                        "Bearer",
                        "Bearer ",
                        "Basic " + secret,
                        secret,
                        "Bearer " + secret + " " + secret);
        for (var i = 0; i < wrong.size(); i++) {
            var refusal = refused("10.0.2." + i, Optional.of(wrong.get(i)));
            assertThat(refusal.reason()).isEqualTo(Reason.UNAUTHORIZED);
            assertThat(refusal.sentence())
                    .isEqualTo("The header Authorization must have the form `Bearer <key>`.");
        }
    }

    @Test
    void a_bad_key_gets_one_sentence_whatever_is_bad() {
        var secret = create().secret();
        var wrong =
                List.of(
                        "Bearer " + secret + "0",
                        "Bearer the-token2",
                        "Bearer ck_0000000000000000_" + "0".repeat(64),
                        "Bearer " + "x".repeat(KeyGate.AUTHORIZATION_MAX));
        for (var i = 0; i < wrong.size(); i++) {
            var refusal = refused("10.0.0." + i, Optional.of(wrong.get(i)));
            assertThat(refusal.reason()).isEqualTo(Reason.UNAUTHORIZED);
            assertThat(refusal.sentence()).isEqualTo("Invalid or revoked API key.");
        }
    }

    @Test
    void the_first_use_of_the_token_is_recorded_once_with_its_door() {
        var events = new ArrayList<KeyEvent>();
        var recorded = new Keys(store, clock, (_, event) -> events.add(event));
        var admitting = new KeyGate(recorded, Optional.of("the-token"), clock, clock::nanoTime);
        for (var door : List.of(Door.REST, Door.MCP, Door.MCP)) {
            admitting.admit(door, HERE, Optional.of("Bearer the-token"));
        }
        assertThat(events)
                .extracting(
                        event -> event.act().word(),
                        event -> event.actor().caller(),
                        event -> event.actor().door())
                .containsExactly(tuple("key_first_use", "token", Door.REST));
        assertThat(events.toString()).doesNotContain("the-token");
    }

    @Test
    void the_first_use_of_a_key_is_recorded_once_with_its_door() {
        var events = new ArrayList<KeyEvent>();
        var recorded = new Keys(store, clock, (_, event) -> events.add(event));
        var admitting = new KeyGate(recorded, Optional.empty(), clock, clock::nanoTime);
        var key = recorded.create("laptop", Set.of(Scope.RUN), Set.of(), Optional.empty());
        for (var door : List.of(Door.REST, Door.MCP, Door.MCP)) {
            admitting.admit(door, HERE, Optional.of("Bearer " + key.secret()));
        }
        assertThat(events)
                .extracting(event -> event.act().word(), event -> event.actor().door())
                .containsExactly(
                        tuple("key_create", Door.INSIDE), tuple("key_first_use", Door.REST));
        assertThat(events.getLast().actor().caller()).isEqualTo(key.info().caller().id());
        assertThat(recorded.list().getFirst().firstUsed()).isPresent();
        assertThat(events.toString()).doesNotContain(key.secret());
    }

    @Test
    void a_header_of_the_greatest_length_is_still_read() {
        var token = "t".repeat(KeyGate.AUTHORIZATION_MAX - "Bearer ".length());
        var patient = new KeyGate(keys, Optional.of(token), clock, clock::nanoTime);
        assertThat(patient.admit(Door.MCP, HERE, Optional.of("Bearer " + token)).id())
                .isEqualTo("token");
    }

    @Test
    void a_key_revoked_by_another_process_stops_within_a_second() {
        var key = create();
        admit("Bearer " + key.secret());
        try (var other = database.open()) {
            new Keys(other, clock).revoke(key.info().id());
        }
        clock.advance(Duration.ofMillis(500));
        assertThat(refused("Bearer " + key.secret()).reason()).isEqualTo(Reason.UNAUTHORIZED);
    }

    @Test
    void a_key_made_by_another_process_works_at_once() {
        var early = "Bearer ck_0000000000000000_" + "0".repeat(64);
        assertThat(refused(early).reason()).isEqualTo(Reason.UNAUTHORIZED);
        try (var other = database.open()) {
            var key =
                    new Keys(other, clock)
                            .create("cli", Set.of(Scope.RUN), Set.of(), Optional.empty());
            assertThat(admit("Bearer " + key.secret()).name()).isEqualTo("cli");
        }
    }

    @Test
    void a_key_stops_when_it_expires_though_it_was_just_used() {
        var key =
                keys.create(
                        "short",
                        Set.of(Scope.RUN),
                        Set.of(),
                        Optional.of(clock.instant().plusMillis(100)));
        admit("Bearer " + key.secret());
        clock.advance(Duration.ofMillis(100));
        assertThat(refused("Bearer " + key.secret()).reason()).isEqualTo(Reason.UNAUTHORIZED);
    }

    @Test
    void a_known_key_needs_no_database() {
        var key = create();
        admit("Bearer " + key.secret());
        store.close();
        assertThat(admit("Bearer " + key.secret())).isEqualTo(key.info().caller());
    }

    @Test
    void the_fourth_failure_within_a_minute_is_one_too_many_but_a_good_key_still_works() {
        var key = create();
        for (var i = 0; i < 3; i++) {
            assertThat(refused("Bearer no").reason()).isEqualTo(Reason.UNAUTHORIZED);
        }
        var refusal = refused("Bearer no");
        assertThat(refusal.reason()).isEqualTo(Reason.TOO_MANY_ATTEMPTS);
        assertThat(refusal.details()).containsEntry("retry_after_seconds", 60L);
        assertThat(refused(HERE, Optional.empty()).reason()).isEqualTo(Reason.TOO_MANY_ATTEMPTS);
        assertThat(admit("Bearer " + key.secret()).name()).isEqualTo("laptop");
        assertThat(refused("192.0.2.8", Optional.of("Bearer no")).reason())
                .isEqualTo(Reason.UNAUTHORIZED);

        clock.advance(Duration.ofMillis(59_500));
        assertThat(refused("Bearer no").details()).containsEntry("retry_after_seconds", 1L);
        clock.advance(Duration.ofMillis(500));
        assertThat(refused("Bearer no").reason()).isEqualTo(Reason.UNAUTHORIZED);
    }

    @Test
    void an_open_gate_admits_everybody_as_the_local_user() {
        assertThat(new OpenGate().admit(Door.MCP, HERE, Optional.empty())).isEqualTo(Caller.LOCAL);
    }

    @Test
    void the_last_use_is_known_at_once_and_stored_once_a_minute() {
        var key = create();
        assertThat(keys.lastUses()).isEmpty();
        var first = clock.instant();
        admit("Bearer " + key.secret());
        clock.advance(LastUses.INTERVAL.minusMillis(1));
        admit("Bearer " + key.secret());

        assertThat(keys.lastUses()).containsOnly(Map.entry(key.info().id(), clock.instant()));
        assertThat(stored()).containsOnly(Map.entry(key.info().id(), first));

        clock.advance(Duration.ofMillis(1));
        admit("Bearer " + key.secret());
        assertThat(stored()).containsOnly(Map.entry(key.info().id(), clock.instant()));
        refused("Bearer " + key.secret() + "0");
        assertThat(stored()).hasSize(1);
    }

    /// As another process sees it, after everything that waits is written.
    private Map<String, Instant> stored() {
        store.write(_ -> 0);
        return new Keys(store, clock).lastUses();
    }
}
