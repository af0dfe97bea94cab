package dev.caisson.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EqualSharesTest {
    @Test
    void what_fits_stays() {
        assertThat(EqualShares.above(Map.of(), 0)).isEmpty();
        assertThat(EqualShares.above(Map.of("a", 5L, "b", 5L), 10)).isEmpty();
    }

    @Test
    void whoever_has_most_gives_first() {
        assertThat(EqualShares.above(Map.of("a", 70L, "b", 20L, "c", 10L), 60))
                .isEqualTo(Map.of("a", 40L));
        assertThat(EqualShares.above(Map.of("a", 70L, "b", 50L, "c", 10L), 60))
                .isEqualTo(Map.of("a", 45L, "b", 25L));
        assertThat(EqualShares.above(Map.of("a", 70L), 60)).isEqualTo(Map.of("a", 10L));
        assertThat(EqualShares.above(Map.of("a", 3L, "b", 0L), 0)).isEqualTo(Map.of("a", 3L));
    }

    private static final class Fake implements Budget.Kept {
        private final Map<String, Long> held = new LinkedHashMap<>();
        private int counts;

        @Override
        public Map<String, Long> bytes() {
            counts++;
            return Map.copyOf(held);
        }

        @Override
        public int giveUp(String caller, long bytes) {
            held.merge(caller, -bytes, Long::sum);
            return 1;
        }
    }

    @Test
    void a_budget_is_never_exceeded_and_seldom_counted() {
        var kept = new Fake();
        var budget = new Budget(1_000, kept);
        kept.held.put("quiet", 100L);
        for (var i = 0; i < 1_000; i++) {
            kept.held.merge("loud", 10L, Long::sum);
            budget.added(10);
            assertThat(kept.held.values().stream().mapToLong(Long::longValue).sum())
                    .isLessThanOrEqualTo(1_000);
        }
        assertThat(kept.held).containsEntry("quiet", 100L);
        assertThat(kept.counts).isLessThan(200);
        assertThat(budget.sweep()).isZero();
    }

    /// Another process wrote.
    @Test
    void a_sweep_counts_anew() {
        var kept = new Fake();
        var budget = new Budget(1_000, kept);
        budget.added(0);
        kept.held.put("loud", 5_000L);
        assertThat(budget.sweep()).isEqualTo(1);
        assertThat(kept.held).containsEntry("loud", 900L);
    }
}
