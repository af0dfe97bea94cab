package dev.caisson.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.store.StoreTestCase;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class QuotasTest extends StoreTestCase {
    private static final Caller CALLER = new Caller("key:a", "a", Set.of(Scope.RUN), Set.of());
    private static final Caller OTHER = new Caller("key:b", "b", Set.of(Scope.RUN), Set.of());

    /// Stands at 12 s past a full minute until it is moved.
    private static final class Hand extends Clock {
        private Instant now = Instant.parse("2026-01-01T10:00:12Z");

        @Override
        public synchronized Instant instant() {
            return now;
        }

        synchronized void move(Duration by) {
            now = now.plus(by);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private final Hand clock = new Hand();
    private Quotas quotas;

    @BeforeEach
    void open() {
        quotas = new Quotas(store, clock);
    }

    private static ProfileQuotas runs(long perMinute) {
        return new ProfileQuotas(Optional.of(perMinute), Optional.empty(), Optional.empty());
    }

    private static ProfileQuotas cpu(long seconds) {
        return new ProfileQuotas(Optional.empty(), Optional.of(seconds), Optional.empty());
    }

    private static ProfileQuotas bytes(long perDay) {
        return new ProfileQuotas(Optional.empty(), Optional.empty(), Optional.of(perDay));
    }

    private boolean begins(Quotas of, ProfileQuotas wanted) {
        try {
            of.begin(CALLER, wanted);
            return true;
        } catch (Refusal refusal) {
            assertThat(refusal.reason()).isEqualTo(Reason.QUOTA_EXCEEDED);
            return false;
        }
    }

    @Test
    void a_refusal_says_which_quota_and_when_it_is_free() {
        quotas.begin(CALLER, runs(1));
        assertThatThrownBy(() -> quotas.begin(CALLER, runs(1)))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.isRetryable()).isTrue();
                            assertThat(refusal.retryAfter()).contains(Duration.ofSeconds(48));
                            assertThat(refusal.details())
                                    .containsEntry("quota", "runs_per_minute")
                                    .containsEntry("free_at", "2026-01-01T10:01:00Z");
                            assertThat(refusal.sentence()).contains("1 runs per minute", "48 s");
                        });
        quotas.begin(OTHER, runs(1));
        clock.move(Duration.ofSeconds(47));
        assertThat(begins(quotas, runs(1))).isFalse();
        clock.move(Duration.ofSeconds(1));
        assertThat(begins(quotas, runs(1))).isTrue();
    }

    @Test
    void parallel_calls_get_as_many_runs_as_there_are() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = new ArrayList<Callable<Boolean>>();
            for (int i = 0; i < 200; i++) {
                calls.add(() -> begins(quotas, runs(50)));
            }
            long begun = 0;
            for (var call : threads.invokeAll(calls)) {
                begun += call.get() ? 1 : 0;
            }
            assertThat(begun).isEqualTo(50);
        }
    }

    @Test
    void a_run_that_never_began_is_given_back() {
        quotas.begin(CALLER, runs(1)).giveBack();
        assertThat(begins(quotas, runs(1))).isTrue();
    }

    @Test
    void cpu_time_is_counted_when_runs_end_until_midnight() {
        quotas.begin(CALLER, cpu(2)).ended(1_999, 0);
        quotas.begin(CALLER, cpu(2)).ended(1, 0);
        assertThat(begins(quotas, cpu(2))).isFalse();
        clock.move(Duration.ofHours(14));
        assertThat(begins(quotas, cpu(2))).isTrue();
    }

    @Test
    void bytes_of_runs_and_of_uploads_are_counted_together() {
        quotas.begin(CALLER, bytes(100)).ended(0, 60);
        quotas.store(CALLER, bytes(100), 40);
        assertThatThrownBy(() -> quotas.store(CALLER, bytes(100), 1))
                .hasMessageContaining("100 bytes per day");
        assertThat(begins(quotas, bytes(100))).isFalse();
        assertThat(begins(quotas, runs(5))).isTrue();
    }

    @Test
    void what_is_used_survives_a_restart() {
        quotas.begin(CALLER, cpu(1)).ended(1_000, 0);
        quotas.begin(CALLER, runs(1));
        quotas.flush();
        var next = new Quotas(store, clock);
        assertThat(begins(next, cpu(1))).isFalse();
        assertThat(begins(next, runs(1))).isFalse();
    }

    @Test
    void servers_on_one_database_share_what_is_used() {
        var second = new Quotas(store, clock);
        quotas.begin(CALLER, runs(3));
        second.begin(CALLER, runs(3));
        quotas.flush();
        second.flush();
        quotas.begin(CALLER, runs(3));
        quotas.flush();
        second.begin(OTHER, runs(3));
        assertThat(quotas.used(CALLER, Quota.RUNS_PER_MINUTE)).isEqualTo(3);
        assertThat(begins(quotas, runs(3))).isFalse();
        assertThat(new Quotas(store, clock).used(CALLER, Quota.RUNS_PER_MINUTE)).isEqualTo(3);
    }

    @Test
    void old_counters_are_removed() {
        quotas.begin(CALLER, cpu(1)).ended(1_000, 0);
        quotas.flush();
        assertThat(quotas.sweep()).isZero();
        clock.move(Duration.ofDays(2));
        assertThat(quotas.sweep()).isEqualTo(1);
    }

    @Test
    void a_key_without_quotas_writes_nothing() {
        quotas.begin(CALLER, ProfileQuotas.NONE).ended(5, 5);
        quotas.flush();
        clock.move(Duration.ofDays(2));
        assertThat(quotas.sweep()).isZero();
    }
}
