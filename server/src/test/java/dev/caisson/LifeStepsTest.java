package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Compares the steps of SPECIFICATION.md with those of the code.
@Timeout(60)
class LifeStepsTest {
    private static List<List<String>> shown(String heading) {
        return Repository.table("SPECIFICATION.md", heading).stream()
                .map(row -> row.subList(0, 2))
                .toList();
    }

    private static List<String> row(String what, Duration limit) {
        return List.of(what, limit.toSeconds() + " s");
    }

    @Test
    void the_specification_shows_every_step_with_its_limit() {
        assertThat(shown("Steps of a start"))
                .containsExactlyElementsOf(
                        Arrays.stream(StartStep.values())
                                .map(step -> row(step.what(), step.limit()))
                                .toList());
        assertThat(shown("Steps of a recovery"))
                .containsExactlyElementsOf(
                        Arrays.stream(RecoveryStep.values())
                                .map(step -> row(step.what(), step.limit()))
                                .toList());
        assertThat(shown("Steps of a stop"))
                .containsExactlyElementsOf(
                        Arrays.stream(StopStep.values())
                                .map(step -> row(step.what(), step.limit()))
                                .toList());
    }

    @Test
    void no_step_of_a_start_is_done_before_its_turn() {
        try (var start = new StartWatch()) {
            start.begin(StartStep.LEASE);
            assertThatThrownBy(() -> start.begin(StartStep.DATABASE))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void no_step_of_a_recovery_is_done_before_its_turn_and_all_are_repeated() {
        var recovery = new Recovery();
        recovery.begin(RecoveryStep.LEASES, () -> 2);
        recovery.begin(RecoveryStep.TASKS, () -> 3);
        assertThatThrownBy(() -> recovery.begin(RecoveryStep.RUNS, () -> 1))
                .isInstanceOf(IllegalStateException.class);
        assertThat(recovery.repeat()).isEqualTo(5);
    }

    @Test
    void a_step_that_fails_when_it_is_repeated_keeps_none_from_being_done() {
        var recovery = new Recovery();
        var broken = new AtomicBoolean();
        recovery.begin(
                RecoveryStep.LEASES,
                () -> {
                    if (broken.get()) {
                        throw new IllegalStateException("broken");
                    }
                    return 2;
                });
        recovery.begin(RecoveryStep.TASKS, () -> 3);
        broken.set(true);
        assertThat(recovery.repeat()).isEqualTo(3);
    }

    @Test
    void a_recovery_that_takes_long_does_not_hold_up_the_start_for_ever() {
        var never = new CountDownLatch(1);
        new Recovery()
                .begin(
                        RecoveryStep.LEFT_RUNS,
                        () -> {
                            try {
                                never.await();
                            } catch (InterruptedException _) {
                                Thread.currentThread().interrupt();
                            }
                            return 0;
                        });
        never.countDown();
    }

    @Test
    void what_a_recovery_throws_ends_the_start() {
        var recovery = new Recovery();
        assertThatThrownBy(() ->
                        recovery.begin(
                                RecoveryStep.RUNS,
                                () -> {
                                    throw new IllegalStateException("no store");
                                }))
                .hasMessage("no store");
    }
}
