package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The clock of a run stands still and goes on where it stood.
@Timeout(60)
class RunClockTest {
    private final CompletableFuture<Boolean> over = new CompletableFuture<>();

    private boolean isOver(Duration atMost) throws InterruptedException {
        try {
            return over.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            return false;
        } catch (ExecutionException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Test
    void a_limit_is_kept_and_an_end_is_heard_of() throws Exception {
        assertThat(new RunClock(Duration.ofMillis(20)).await(this::isOver)).isFalse();
        over.complete(true);
        assertThat(new RunClock(Duration.ofDays(1)).await(this::isOver)).isTrue();
    }

    @Test
    void what_it_stood_still_does_not_count() throws Exception {
        var clock = new RunClock(Duration.ofMillis(300));
        clock.stop();
        clock.stop();
        var waiting =
                CompletableFuture.supplyAsync(() -> {
                    try {
                        return clock.await(this::isOver);
                    } catch (InterruptedException interrupted) {
                        throw new IllegalStateException(interrupted);
                    }
                });
        Thread.sleep(700);
        assertThat(waiting).isNotDone();
        assertThat(clock.stood()).isGreaterThanOrEqualTo(Duration.ofMillis(690));
        long went = System.nanoTime();
        clock.goOn();
        clock.goOn();
        assertThat(waiting.get(30, TimeUnit.SECONDS)).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - went))
                .isGreaterThan(Duration.ofMillis(200));
        assertThat(clock.stood()).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void an_end_is_heard_of_while_it_stands() throws Exception {
        var clock = new RunClock(Duration.ofMillis(50));
        clock.stop();
        over.completeOnTimeout(true, 300, TimeUnit.MILLISECONDS);
        assertThat(clock.await(this::isOver)).isTrue();
    }
}
