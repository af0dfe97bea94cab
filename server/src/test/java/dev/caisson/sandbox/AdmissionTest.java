package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    private static void refuses(Admission admission) {
        assertThatThrownBy(admission::enter)
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY);
                            assertThat(refusal.sentence()).contains("Try again in about");
                            assertThat(refusal.details()).containsKey("retry_after_seconds");
                        });
    }

    @Test
    void who_comes_when_nobody_may_wait_is_refused_with_the_wait_to_expect() throws Exception {
        var admission = new Admission(1, 0, Duration.ofSeconds(30));
        admission.enter();
        refuses(admission);
        admission.leave(Duration.ofMillis(10));
        admission.enter();
        assertThat(admission.running()).isEqualTo(1);
    }

    @Test
    void who_waits_gets_the_place_that_comes_free() throws Exception {
        var admission = new Admission(1, 1, Duration.ofSeconds(30));
        admission.enter();
        var entered = new CompletableFuture<Boolean>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        admission.enter();
                        entered.complete(true);
                    } catch (InterruptedException | RuntimeException failed) {
                        entered.completeExceptionally(failed);
                    }
                });
        Awaitility.await().until(() -> admission.waiting() == 1);
        refuses(admission);
        admission.leave(Duration.ofSeconds(1));
        assertThat(entered.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(admission.waiting()).isZero();
    }

    @Test
    void nobody_waits_longer_than_the_limit() throws Exception {
        var admission = new Admission(1, 5, Duration.ofMillis(50));
        admission.enter();
        refuses(admission);
        assertThat(admission.waiting()).isZero();
    }

    @Test
    void the_estimate_follows_what_runs_took() throws Exception {
        var admission = new Admission(1, 0, Duration.ofSeconds(1));
        for (int run = 0; run < 50; run++) {
            admission.enter();
            admission.leave(Duration.ofSeconds(20));
        }
        assertThat(admission.expectedWait())
                .isBetween(Duration.ofSeconds(15), Duration.ofSeconds(20));
    }
}
