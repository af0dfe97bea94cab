package dev.caisson.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// A deadline comes once and stays over.
class DeadlineTest {
    @Test
    void time_that_is_over_is_zero() {
        var past = new Deadline(System.nanoTime() - 1);
        assertThat(past.isOver()).isTrue();
        assertThat(past.left()).isZero();
    }

    @Test
    void the_earlier_of_two_counts() {
        var hour = Deadline.in(Duration.ofHours(1));
        assertThat(hour.isOver()).isFalse();
        assertThat(hour.orIn(Duration.ofHours(2))).isEqualTo(hour);
        assertThat(hour.orIn(Duration.ofMinutes(1)).left())
                .isLessThanOrEqualTo(Duration.ofMinutes(1));
    }
}
