package dev.caisson.sandbox.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

class CallerWeightsTest {
    private final CallerWeights weights = new CallerWeights();

    @Test
    void the_sandboxes_of_a_caller_weigh_as_much_together_as_one() {
        var first = new Weighed();
        var second = new Weighed();
        var other = new Weighed();
        var leave = weights.join("a", first);
        assertThat(first.weight).isEqualTo(CallerWeights.WHOLE);
        assertThat(weights.ofNext("a")).isEqualTo(CallerWeights.WHOLE / 2);
        weights.join("a", second);
        weights.join("b", other);
        assertThat(List.of(first.weight, second.weight)).containsOnly(CallerWeights.WHOLE / 2);
        assertThat(other.weight).isEqualTo(CallerWeights.WHOLE);
        leave.close();
        leave.close();
        assertThat(second.weight).isEqualTo(CallerWeights.WHOLE);
        assertThat(weights.ofNext("c")).isEqualTo(CallerWeights.WHOLE);
    }

    /// However many of a caller's sandboxes die at once, they take no more from others than one.
    @Test
    void those_that_die_have_one_weight_among_them() {
        var living = new Weighed();
        var first = new Weighed();
        var second = new Weighed();
        weights.join("a", living);
        var dyingFirst = weights.join("a", first);
        var dyingSecond = weights.join("a", second);
        dyingFirst.dying();
        assertThat(first.weight).isEqualTo(CallerWeights.WHOLE);
        dyingSecond.dying();
        dyingSecond.dying();
        assertThat(List.of(first.weight, second.weight)).containsOnly(CallerWeights.WHOLE / 2);
        assertThat(living.weight).isEqualTo(CallerWeights.WHOLE);
        assertThat(weights.ofNext("a")).isEqualTo(CallerWeights.WHOLE / 2);
        dyingFirst.close();
        assertThat(second.weight).isEqualTo(CallerWeights.WHOLE);
        first.weight = 1;
        dyingFirst.dying();
        assertThat(first.weight).as("killed again after it left").isEqualTo(CallerWeights.WHOLE);
    }

    @Test
    void one_that_is_gone_keeps_nobody_from_the_weight() {
        var gone = new Weighed();
        weights.join("a", gone);
        gone.gone = true;
        var next = new Weighed();
        weights.join("a", next);
        assertThat(next.weight).isEqualTo(CallerWeights.WHOLE / 2);
    }

    private static final class Weighed implements IntConsumer {
        private int weight;
        private boolean gone;

        @Override
        public void accept(int newWeight) {
            if (gone) {
                throw new UncheckedIOException(new IOException("gone"));
            }
            weight = newWeight;
        }
    }
}
