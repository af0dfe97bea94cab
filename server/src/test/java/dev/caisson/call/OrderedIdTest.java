package dev.caisson.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class OrderedIdTest {
    @Test
    void ids_are_ordered_by_their_moment() {
        var ids = Stream.of(0L, 1L, 255L, 256L, 1_700_000_000_000L, 1L << 47).map(OrderedId::at);
        assertThat(ids.toList()).isSorted().allMatch(id -> id.matches("[0-9a-f]{32}"));
        assertThat(OrderedId.at(1_700_000_000_000L)).startsWith("018bcfe56800");
    }

    @Test
    void what_is_after_a_moment_is_behind_every_id_of_it() {
        assertThat(OrderedId.after(255))
                .isGreaterThan(OrderedId.at(255))
                .isLessThan(OrderedId.at(256));
    }

    @Test
    void ids_of_one_moment_differ() {
        var ids = IntStream.range(0, 1000).mapToObj(_ -> OrderedId.at(0)).distinct();
        assertThat(ids.count()).isEqualTo(1000);
    }
}
