package dev.caisson.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.sandbox.Language;
import dev.caisson.session.EvictionRule.Row;
import dev.caisson.share.ShareLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EvictionRuleTest {
    private static final long MIB = 1 << 20;

    private static EvictionRule rule(long mib, int total, int perCaller) {
        return new EvictionRule(
                new SessionLimits(
                        mib * MIB, total, perCaller, Duration.ofMinutes(1), ShareLimit.DEFAULT));
    }

    /// @param name the caller's letter and a number, which says how late it was used
    private static Row row(String name, long mib, boolean busy) {
        var key = new SessionKey(name.substring(0, 1), name, Language.PYTHON);
        return new Row(key, mib * MIB, busy, Long.parseLong(name.substring(1)));
    }

    private static Row idle(String name, long mib) {
        return row(name, mib, false);
    }

    private static Row busy(String name, long mib) {
        return row(name, mib, true);
    }

    private static Optional<List<String>> names(Optional<List<Row>> plan) {
        return plan.map(rows -> rows.stream().map(row -> row.key().threadId()).toList());
    }

    @Test
    void what_fits_ends_nobody_on_the_last_free_byte() {
        var others = List.of(idle("a1", 50), idle("b2", 40));
        assertThat(names(rule(100, 10, 10).forNew(others, busy("c3", 10)))).contains(List.of());
        assertThat(names(rule(100, 10, 10).forNew(others, busy("c3", 11)))).isEmpty();
    }

    @Test
    void one_key_alone_ends_at_its_share_and_then_replaces_its_longest_idle() {
        var rule = rule(100, 100, 100);
        var own = new ArrayList<Row>();
        for (int at = 1; at <= 7; at++) {
            assertThat(names(rule.forNew(own, busy("a" + at, 10)))).contains(List.of());
            own.add(idle("a" + at, 10));
        }
        assertThat(names(rule.forNew(own, busy("a8", 10)))).contains(List.of("a1"));
        assertThat(names(rule.forNew(own, busy("a8", 20)))).contains(List.of("a1", "a2"));
        assertThat(names(rule.forNew(own, busy("b8", 10))))
                .as("the rest is for others")
                .contains(List.of());
    }

    @Test
    void the_number_of_a_key_ends_before_its_memory() {
        var rule = rule(1000, 100, 2);
        var own = List.of(idle("a2", 1), idle("a1", 1));
        assertThat(names(rule.forNew(own.subList(0, 1), busy("a3", 1)))).contains(List.of());
        assertThat(names(rule.forNew(own, busy("a3", 1)))).contains(List.of("a1"));
    }

    @Test
    void one_in_use_never_gives_way() {
        var rule = rule(1000, 100, 2);
        assertThat(names(rule.forNew(List.of(busy("a1", 1), idle("a2", 1)), busy("a3", 1))))
                .contains(List.of("a2"));
        assertThat(names(rule.forNew(List.of(busy("a1", 1), busy("a2", 1)), busy("a3", 1))))
                .isEmpty();
    }

    @Test
    void when_the_server_is_full_whoever_has_most_gives_its_longest_idle() {
        var rule = rule(100, 100, 100);
        var others = List.of(idle("a3", 25), idle("a2", 25), idle("a4", 25), idle("b1", 25));
        assertThat(names(rule.forNew(others, busy("c9", 10)))).contains(List.of("a2"));
        assertThat(names(rule.forNew(others, busy("b9", 25)))).contains(List.of("a2"));
        assertThat(names(rule.forNew(others, busy("b9", 50))))
                .as("with its own it would have as much as the other")
                .contains(List.of("b1", "a2"));
        assertThat(names(rule.forNew(others, busy("b9", 51)))).isEmpty();
    }

    @Test
    void a_key_within_an_equal_share_loses_nothing_to_another() {
        var rule = rule(90, 100, 100);
        var others =
                List.of(
                        idle("a1", 15),
                        idle("a2", 15),
                        idle("b3", 15),
                        idle("b4", 15),
                        idle("c5", 15),
                        busy("c6", 15));
        assertThat(names(rule.forNew(others, busy("c9", 15)))).contains(List.of("c5"));
        assertThat(names(rule.forGrown(others.subList(0, 5), busy("c6", 16))))
                .contains(List.of("c5"));
    }

    @Test
    void the_last_session_of_a_key_stays() {
        var others = List.of(idle("a1", 50), idle("b2", 50));
        assertThat(names(rule(100, 10, 10).forNew(others, busy("c3", 10)))).isEmpty();
        assertThat(names(rule(100, 2, 2).forNew(others, busy("c3", 0)))).isEmpty();
    }

    @Test
    void where_there_is_room_for_one_it_goes_from_key_to_key() {
        assertThat(names(rule(0, 1, 1).forNew(List.of(idle("a1", 10)), busy("b2", 10))))
                .contains(List.of("a1"));
        assertThat(names(rule(0, 1, 1).forNew(List.of(busy("a1", 10)), busy("b2", 10)))).isEmpty();
        assertThat(names(rule(60, 9, 9).forNew(List.of(idle("a1", 50)), busy("b2", 20))))
                .contains(List.of("a1"));
    }

    @Test
    void one_that_has_grown_needs_memory_and_no_share() {
        var rule = rule(100, 100, 100);
        var others = List.of(idle("a1", 10), idle("a2", 10));
        assertThat(names(rule.forGrown(others, busy("a3", 80)))).contains(List.of());
        assertThat(names(rule.forGrown(others, busy("a3", 81)))).contains(List.of("a1"));
        assertThat(names(rule.forGrown(List.of(idle("b1", 50)), busy("a3", 51)))).isEmpty();
    }

    @Test
    void without_a_limit_on_memory_only_numbers_count() {
        var others = List.of(idle("a1", 1 << 20), idle("b2", 1 << 20));
        assertThat(names(rule(0, 4, 4).forNew(others, busy("a3", 1 << 20)))).contains(List.of());
    }
}
