package dev.caisson.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a person sees of a definition that changed.
final class LineDifferenceTest {
    @Test
    void lines_that_stay_stand_around_those_that_changed() {
        assertThat(LineDifference.of(List.of("a", "b", "c", "d"), List.of("a", "c", "x", "d")))
                .containsExactly("  a", "- b", "  c", "+ x", "  d");
        assertThat(LineDifference.of(List.of(), List.of("a", "b"))).containsExactly("+ a", "+ b");
        assertThat(LineDifference.of(List.of("a"), List.of("a"))).containsExactly("  a");
        assertThat(LineDifference.of(List.of("a", "a"), List.of("a")))
                .containsExactly("  a", "- a");
    }

    @Test
    void long_texts_are_not_compared_line_by_line() {
        var before = Collections.nCopies(LineDifference.COMPARED_MAX + 1, "x");
        assertThat(LineDifference.of(before, List.of("y", "z"))).hasSize(before.size() + 2);
        var most = Collections.nCopies(LineDifference.COMPARED_MAX, "x");
        assertThat(LineDifference.of(most, List.of("y", "x", "z")))
                .hasSize(LineDifference.COMPARED_MAX + 2);
    }
}
