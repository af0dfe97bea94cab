package dev.caisson.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShareTest {
    private static Share of(long total, double part) {
        return new Share("things", "things", total, new ShareLimit(part));
    }

    /// Takes one at a time until refused.
    private static List<HeldShare> takeAll(Share share, String caller) {
        var all = new ArrayList<HeldShare>();
        for (var next = share.tryTake(caller, 1);
                next.isPresent();
                next = share.tryTake(caller, 1)) {
            all.add(next.get());
        }
        return all;
    }

    @Test
    void one_caller_alone_ends_at_its_part() {
        assertThat(takeAll(of(100, 0.75), "a")).hasSize(75);
        assertThat(takeAll(of(100, 0.5), "a")).hasSize(50);
        assertThat(takeAll(of(100, 1), "a")).hasSize(100);
    }

    @Test
    void those_who_come_next_find_something() {
        var share = of(100, 0.75);
        for (int caller = 0; caller < 4; caller++) {
            assertThat(takeAll(share, "caller " + caller)).isNotEmpty();
        }
    }

    @Test
    void callers_who_take_in_turns_end_at_equal_amounts() {
        var share = of(100, 0.75);
        while (share.mayTake("a", 1) || share.mayTake("b", 1)) {
            share.tryTake("a", 1);
            share.tryTake("b", 1);
        }
        assertThat(share.held("a") - share.held("b")).isBetween(-1L, 1L);
        assertThat(share.held("a")).isGreaterThan(40);
    }

    @Test
    void the_first_is_refused_only_when_too_little_is_left() {
        var share = of(10, 0.5);
        assertThat(share.tryTake("a", 10)).isPresent();
        assertThat(share.tryTake("b", 1)).isEmpty();
    }

    @Test
    void what_is_given_back_twice_counts_once() {
        var share = of(10, 0.75);
        var first = share.take("a", 3);
        share.take("a", 2);
        first.close();
        first.close();
        assertThat(share.free()).isEqualTo(8);
        assertThat(share.held("a")).isEqualTo(2);
    }

    @Test
    void a_refusal_names_the_share_and_says_when_to_try_again() {
        var share = of(4, 0.75);
        takeAll(share, "a");
        assertThatThrownBy(() -> share.take("a", 1))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY);
                            assertThat(refusal.sentence())
                                    .contains("This key has 3 of the server's 4 things");
                            assertThat(refusal.details())
                                    .containsEntry("share", "things")
                                    .containsKey("retry_after_seconds");
                        });
        share.take("b", 1);
        assertThatThrownBy(() -> share.take("c", 1))
                .hasMessageContaining("All of the server's 4 things are in use");
    }
}
