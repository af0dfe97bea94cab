package dev.caisson.rest.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgressSignalTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    @Test
    void a_step_wakes_those_who_wait() throws Exception {
        var signal = new ProgressSignal();
        var seen = signal.steps();
        var waited = new CompletableFuture<Boolean>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        signal.awaitAfter(seen, LONG);
                        waited.complete(true);
                    } catch (InterruptedException stopped) {
                        waited.completeExceptionally(stopped);
                    }
                });

        signal.advance();

        assertThat(waited.get(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_step_that_came_before_the_wait_is_not_waited_for() throws Exception {
        var signal = new ProgressSignal();
        var seen = signal.steps();
        signal.advance();
        signal.awaitAfter(seen, LONG);
        assertThat(signal.steps()).isEqualTo(seen + 1);
    }
}
