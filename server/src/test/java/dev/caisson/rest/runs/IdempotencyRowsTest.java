package dev.caisson.rest.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.KeyedDigest;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.http.ErrorBody;
import dev.caisson.json.DeclaredMembers;
import dev.caisson.json.Json;
import dev.caisson.json.SchemaOf;
import dev.caisson.rest.IdempotencyLimits;
import dev.caisson.rest.IdempotencyRetention;
import dev.caisson.rest.route.HttpProblem;
import dev.caisson.store.Store;
import dev.caisson.store.StoreTestCase;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class IdempotencyRowsTest extends StoreTestCase {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final IdempotencyRows.Place PLACE = new IdempotencyRows.Place("key:alice", "k");
    private static final JsonNode BODY = Json.object().put("code", "true");

    private static final IdempotencyLimits LIMITS =
            new IdempotencyLimits(Duration.ofDays(1), 100_000, 20);

    private Idempotency at(Instant now) {
        return at(now, 1);
    }

    private Idempotency at(Instant now, int secret) {
        var clock = Clock.fixed(now, ZoneOffset.UTC);
        return new Idempotency(
                store,
                new IdempotencyRetention(store, LIMITS, clock),
                new KeyedDigest(new byte[] {(byte) secret}),
                clock);
    }

    @Test
    void a_key_belongs_to_one_caller_and_one_body() {
        var kept = at(NOON);
        assertThat(kept.claim(PLACE, BODY, "t1")).isEmpty();
        assertThat(kept.claim(PLACE, BODY, "t2").orElseThrow().traceId()).isEqualTo("t1");
        assertThat(kept.claim(new IdempotencyRows.Place("key:bob", "k"), BODY, "t3")).isEmpty();
        assertThatThrownBy(() -> kept.claim(PLACE, Json.object(), "t4"))
                .isInstanceOf(HttpProblem.class);
    }

    /// As versions wrote it that had no keyed digests.
    @Test
    void a_request_that_a_former_version_carried_out_is_not_carried_out_again() throws Exception {
        assertThat(at(NOON).claim(PLACE, BODY, "t1")).isEmpty();
        var hash = MessageDigest.getInstance("SHA-256").digest(Json.bytes(BODY));
        store.write(handle ->
                handle.update("UPDATE idempotency SET digest = :digest")
                        .bind("digest", HexFormat.of().formatHex(hash))
                        .execute());

        assertThat(at(NOON).claim(PLACE, BODY, "t2").orElseThrow().traceId()).isEqualTo("t1");
        assertThatThrownBy(() -> at(NOON).claim(PLACE, Json.object(), "t3"))
                .isInstanceOf(HttpProblem.class);
    }

    /// As versions wrote it whose digests had the secret of the server.
    @Test
    void a_request_with_a_keyed_digest_is_compared_by_it() {
        assertThat(at(NOON).claim(PLACE, BODY, "t1")).isEmpty();
        var keyed = new KeyedDigest(new byte[] {1}).of(PLACE.owner(), Json.bytes(BODY));
        store.write(handle ->
                handle.update("UPDATE idempotency SET digest = :digest")
                        .bind("digest", keyed)
                        .execute());

        assertThat(at(NOON).claim(PLACE, BODY, "t2").orElseThrow().traceId()).isEqualTo("t1");
        assertThatThrownBy(() -> at(NOON).claim(PLACE, Json.object(), "t3"))
                .isInstanceOf(HttpProblem.class);
    }

    @Test
    void a_server_with_another_secret_knows_the_same_body() {
        assertThat(at(NOON, 1).claim(PLACE, BODY, "t1")).isEmpty();

        assertThat(at(NOON, 2).claim(PLACE, BODY, "t2").orElseThrow().traceId()).isEqualTo("t1");
        assertThatThrownBy(() -> at(NOON, 2).claim(PLACE, Json.object(), "t3"))
                .isInstanceOf(HttpProblem.class);
    }

    @Test
    void what_a_former_server_left_is_answered_and_not_run_again() throws Exception {
        assertThat(at(NOON).claim(PLACE, BODY, "t1")).isEmpty();

        at(NOON).settleAbandoned();

        var answer = at(NOON).answer(PLACE, () -> {}).orElseThrow();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body().path("message").stringValue()).contains("stopped while");
    }

    @Test
    void what_a_server_that_lives_has_under_way_is_not_answered_by_another() throws Exception {
        store.enlist(directory, "here");
        assertThat(at(NOON).claim(PLACE, BODY, "t1")).isEmpty();

        assertThat(at(NOON).settleAbandoned()).isZero();

        at(NOON).witness(PLACE).ended(RunResult.kept(Json.object().put("status", "success")));
        assertThat(at(NOON).answer(PLACE, () -> {}).orElseThrow().status()).isEqualTo(200);
    }

    @Test
    void what_has_its_answer_is_forgotten_after_a_day() throws Exception {
        var kept = at(NOON);
        assertThat(kept.claim(PLACE, BODY, "t1")).isEmpty();
        kept.witness(PLACE).ended(RunResult.kept(Json.object().put("status", "success")));

        var dayLater = NOON.plus(LIMITS.age());
        assertThat(at(dayLater).claim(PLACE, BODY, "t2")).isPresent();
        assertThat(at(dayLater.plusMillis(1)).claim(PLACE, BODY, "t3")).isEmpty();
    }

    @Test
    void what_was_refused_before_it_began_frees_its_key() throws Exception {
        var kept = at(NOON);
        assertThat(kept.claim(PLACE, BODY, "t1")).isEmpty();
        kept.witness(PLACE).failed(new IllegalStateException());

        assertThat(kept.answer(PLACE, () -> {})).isEmpty();
        assertThat(kept.claim(PLACE, BODY, "t2")).isEmpty();
    }

    private static IdempotencyRetention answers(Store store, Instant now) {
        return new IdempotencyRetention(store, LIMITS, Clock.fixed(now, ZoneOffset.UTC));
    }

    @Test
    void a_sweep_forgets_what_is_too_old_and_nothing_that_has_no_answer() {
        for (var i = 0; i < 3; i++) {
            var place = new IdempotencyRows.Place("key:alice", "k" + i);
            at(NOON).claim(place, BODY, "t");
            if (i > 0) {
                at(NOON).witness(place).ended(RunResult.kept(Json.object()));
            }
        }
        assertThat(answers(store, NOON.plus(LIMITS.age())).sweep()).isZero();
        assertThat(answers(store, NOON.plus(LIMITS.age()).plusMillis(1)).sweep()).isEqualTo(2);
    }

    /// The largest first, its oldest first; and what was carried out is not carried out again.
    @Test
    void when_answers_take_too_much_room_whoever_has_most_loses_its_oldest() throws Exception {
        keep("key:bob", 0, 20_000);
        for (var i = 0; i < 15; i++) {
            keep("key:alice", i, 20_000);
            assertThat(bytes()).isLessThanOrEqualTo(LIMITS.bytesMax());
        }
        assertThat(answer("key:bob", 0).status()).isEqualTo(200);
        assertThat(answer("key:alice", 14).status()).isEqualTo(200);
        var gone = answer("key:alice", 0);
        assertThat(gone.status()).isEqualTo(410);
        assertThat(gone.body().at("/details/execution_id").stringValue()).isEqualTo("exe_0");
        DeclaredMembers.assertAllThere(SchemaOf.result(ErrorBody.class), gone.body());
        var place = new IdempotencyRows.Place("key:alice", "k0");
        assertThat(at(NOON).claim(place, BODY, "t")).as("not run again").isPresent();
    }

    private void keep(String owner, int number, int bytes) {
        var kept = at(NOON.plusSeconds(number));
        var place = new IdempotencyRows.Place(owner, "k" + number);
        assertThat(kept.claim(place, BODY, "t")).isEmpty();
        store.write(handle -> IdempotencyRows.began(handle, place, "exe_" + number));
        kept.witness(place).ended(RunResult.kept(Json.object().put("stdout", "x".repeat(bytes))));
    }

    private IdempotencyRecord.Answer answer(String owner, int number) throws Exception {
        return at(NOON).answer(new IdempotencyRows.Place(owner, "k" + number), () -> {})
                .orElseThrow();
    }

    private long bytes() {
        return store.read(handle ->
                handle.query("SELECT SUM(LENGTH(body)) FROM idempotency WHERE status = 200")
                        .mapTo(Long.class)
                        .one());
    }

    @Test
    void a_caller_has_so_many_keys_and_no_more_and_others_have_theirs() {
        var kept = at(NOON);
        for (var i = 0; i < LIMITS.keysMax(); i++) {
            assertThat(kept.claim(new IdempotencyRows.Place("key:alice", "k" + i), BODY, "t"))
                    .isEmpty();
        }
        assertThatThrownBy(
                        () -> kept.claim(new IdempotencyRows.Place("key:alice", "more"), BODY, "t"))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY);
                            assertThat(refusal.details()).containsEntry("share", "answers");
                        });
        assertThat(kept.claim(new IdempotencyRows.Place("key:alice", "k1"), BODY, "t")).isPresent();
        assertThat(kept.claim(new IdempotencyRows.Place("key:bob", "k"), BODY, "t")).isEmpty();
    }
}
