package dev.caisson.upstream.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class ReadBudgetTest {
    @Test
    void one_upstream_leaves_room_for_others() throws Exception {
        var whole = new ReadBudget(100);
        var greedy = whole.part();
        try (var first = greedy.lease();
                var second = greedy.lease();
                var other = whole.part().lease()) {
            first.take(75);
            assertThatThrownBy(() -> second.take(1)).isInstanceOf(ReadBudget.Exhausted.class);
            other.take(25);
            assertThat(whole.used()).isEqualTo(100);
            assertThatThrownBy(() -> other.take(1)).isInstanceOf(ReadBudget.Exhausted.class);
            first.giveBack();
            second.take(75);
        }
        assertThat(whole.used()).isZero();
        assertThat(greedy.used()).isZero();
    }
}
