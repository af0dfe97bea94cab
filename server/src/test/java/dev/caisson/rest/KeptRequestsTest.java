package dev.caisson.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.json.Json;
import dev.caisson.store.Store;
import dev.caisson.store.TestDatabase;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

@ParameterizedClass
@EnumSource
class KeptRequestsTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final KeptRows.Place PLACE = new KeptRows.Place("key:alice", "k");
    private static final JsonNode BODY = Json.object().put("code", "true");

    private final TestDatabase.Kind kind;
    @TempDir Path directory;
    private Store store;

    KeptRequestsTest(TestDatabase.Kind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        store = kind.fresh(directory).open();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Idempotency at(Instant now) {
        return new Idempotency(store, Clock.fixed(now, ZoneOffset.UTC));
    }

    @Test
    void a_key_belongs_to_one_caller_and_one_body() {
        var kept = at(NOON);
        assertThat(kept.claim(PLACE, BODY, "t1")).isEmpty();
        assertThat(kept.claim(PLACE, BODY, "t2").orElseThrow().traceId()).isEqualTo("t1");
        assertThat(kept.claim(new KeptRows.Place("key:bob", "k"), BODY, "t3")).isEmpty();
        assertThatThrownBy(() -> kept.claim(PLACE, Json.object(), "t4"))
                .isInstanceOf(Problem.class);
    }

    @Test
    void what_a_former_server_left_is_answered_and_not_run_again() throws Exception {
        assertThat(at(NOON).claim(PLACE, BODY, "t1")).isEmpty();

        at(NOON).settleUnfinished();

        var answer = at(NOON).answer(PLACE).orElseThrow();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body().path("message").stringValue()).contains("stopped while");
    }

    @Test
    void what_has_its_answer_is_forgotten_after_a_day() throws Exception {
        var kept = at(NOON);
        assertThat(kept.claim(PLACE, BODY, "t1")).isEmpty();
        kept.witness(PLACE).ended(Json.object().put("status", "success"));

        var dayLater = NOON.plus(Idempotency.KEEP);
        assertThat(at(dayLater).claim(PLACE, BODY, "t2")).isPresent();
        assertThat(at(dayLater.plusMillis(1)).claim(PLACE, BODY, "t3")).isEmpty();
    }

    @Test
    void what_was_refused_before_it_began_frees_its_key() throws Exception {
        var kept = at(NOON);
        assertThat(kept.claim(PLACE, BODY, "t1")).isEmpty();
        kept.witness(PLACE).failed(new IllegalStateException());

        assertThat(kept.answer(PLACE)).isEmpty();
        assertThat(kept.claim(PLACE, BODY, "t2")).isEmpty();
    }
}
