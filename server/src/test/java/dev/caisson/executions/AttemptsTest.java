package dev.caisson.executions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.store.StoreTestCase;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Who fails at a task again and again is stopped; who succeeds, or is let try again, is not.
@Timeout(60)
final class AttemptsTest extends StoreTestCase {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private Attempts at(Instant moment) {
        return new Attempts(store, Clock.fixed(moment, ZoneOffset.UTC), 3);
    }

    private Attempts attempts() {
        return at(NOON);
    }

    private void fail(String caller, String task, String... executions) {
        for (var execution : executions) {
            attempts().ended(caller, task, execution, ExecutionStatus.FAILED);
        }
    }

    @Test
    void the_attempt_after_the_last_failure_is_refused_with_those_before() {
        for (int number = 1; number <= 3; number++) {
            assertThat(attempts().begin("anna", "report")).isEqualTo(new Attempt(number, 3));
            fail("anna", "report", "exe_" + number);
        }
        assertThatThrownBy(() -> attempts().begin("anna", "report"))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.HANDOFF_REQUIRED);
                            assertThat(refusal.isRetryable()).isFalse();
                            assertThat(refusal.details())
                                    .isEqualTo(
                                            Map.of("attempts", List.of("exe_1", "exe_2", "exe_3")));
                        });
        assertThat(attempts().begin("anna", "another").number()).isEqualTo(1);
        assertThat(attempts().begin("bert", "report").number()).isEqualTo(1);
        assertThat(attempts().reset("anna", "report")).isTrue();
        assertThat(attempts().reset("anna", "report")).isFalse();
        assertThat(attempts().begin("anna", "report").number()).isEqualTo(1);
    }

    @Test
    void a_success_sets_the_count_back_and_what_says_nothing_of_the_program_leaves_it() {
        fail("anna", "report", "exe_1", "exe_2");
        for (var ending : List.of(ExecutionStatus.CANCELLED, ExecutionStatus.BLOCKED)) {
            attempts().ended("anna", "report", "exe_x", ending);
        }
        assertThat(attempts().begin("anna", "report").number()).isEqualTo(3);
        attempts().ended("anna", "report", "exe_3", ExecutionStatus.SUCCESS);
        assertThat(attempts().begin("anna", "report").number()).isEqualTo(1);
        for (var ending :
                List.of(ExecutionStatus.FAILED, ExecutionStatus.TIMEOUT, ExecutionStatus.OOM)) {
            attempts().ended("anna", "report", "exe_y", ending);
        }
        assertThatThrownBy(() -> attempts().begin("anna", "report")).isInstanceOf(Refusal.class);
    }

    @Test
    void old_tasks_and_too_many_are_forgotten() {
        for (int number = 0; number < 3; number++) {
            at(NOON.minus(Duration.ofHours(1)))
                    .ended("anna", "first", "exe", ExecutionStatus.FAILED);
        }
        for (int number = 0; number < Attempts.TASKS_MAX - 1; number++) {
            fail("anna", "task " + number, "exe");
        }
        assertThatThrownBy(() -> attempts().begin("anna", "first")).isInstanceOf(Refusal.class);
        fail("anna", "one more", "exe");
        assertThat(attempts().begin("anna", "first").number()).isEqualTo(1);
        assertThat(at(NOON.plus(Attempts.KEPT)).sweep()).isZero();
        assertThat(at(NOON.plus(Attempts.KEPT).plusMillis(1)).sweep())
                .isEqualTo(Attempts.TASKS_MAX);
    }
}
