package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StopPlanTest {
    private final StopPlan plan = new StopPlan();
    private final List<String> closed = new CopyOnWriteArrayList<>();

    @Test
    void the_whole_stop_fits_in_thirty_seconds() {
        assertThat(StopStep.whole()).isLessThanOrEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void steps_are_done_in_their_order_and_the_last_opened_of_a_step_first() {
        plan.addQuick(StopStep.DATABASE, () -> closed.add("store"));
        plan.addQuick(StopStep.DATABASE, () -> closed.add("lock"));
        plan.addQuick(StopStep.REQUESTS, () -> closed.add("requests"));

        plan.close();
        plan.close();

        assertThat(closed).containsExactly("requests", "lock", "store");
    }

    @Test
    void every_step_is_told_its_limit() {
        for (var step : StopStep.values()) {
            plan.add(step, atMost -> closed.add(step + " " + atMost));
        }
        plan.close();
        assertThat(closed)
                .containsExactlyElementsOf(
                        Arrays.stream(StopStep.values())
                                .map(step -> step + " " + step.limit())
                                .toList());
    }

    @Test
    void a_step_that_fails_keeps_none_from_being_done_and_is_told() {
        plan.addQuick(
                StopStep.JOURNAL,
                () -> {
                    throw new IllegalStateException("no journal");
                });
        plan.addQuick(StopStep.DATABASE, () -> closed.add("store"));

        assertThatThrownBy(plan::close).hasMessage("no journal");

        assertThat(closed).containsExactly("store");
    }

    @Test
    void steps_that_never_end_are_left_behind_in_time_for_the_others() {
        var never = new CountDownLatch(1);
        plan.addQuick(StopStep.WEBHOOKS, () -> await(never));
        plan.addQuick(StopStep.SANDBOXES, () -> await(never));
        plan.addQuick(StopStep.DATABASE, () -> closed.add("store"));

        var begun = System.nanoTime();
        plan.close();

        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .isLessThan(StopStep.whole().plusSeconds(1));
        assertThat(closed).containsExactly("store");
        never.countDown();
    }

    private static void await(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException _) {
                // Nothing ends it.
            }
        }
    }
}
