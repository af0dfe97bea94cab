package dev.caisson.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackgroundRunsTest {
    @Test
    void a_caller_has_so_many_places_and_not_one_more() {
        var runs = new BackgroundRuns(new BackgroundSettings(2));
        var first = runs.place("alice");
        first.take();
        assertThat(runs.place("alice").tryTake()).isTrue();
        var third = runs.place("alice");
        assertThat(third.tryTake()).isFalse();
        assertThatThrownBy(third::take)
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY))
                .hasMessageContaining("2 background runs");
        assertThat(runs.place("bob").tryTake()).isTrue();

        first.close();
        first.close();
        assertThat(third.tryTake()).isTrue();
        assertThat(third.tryTake()).as("it has its place").isTrue();
        assertThat(runs.place("alice").tryTake()).isFalse();
    }

    @Test
    void a_cursor_is_read_as_it_was_written() {
        var cursor = new OutputCursor(12, 345);
        assertThat(OutputCursor.of(cursor.text())).isEqualTo(cursor);
        assertThat(new OutputCursor(999_999_999_999_999L, 999_999_999_999_999L).text())
                .hasSize(OutputCursor.LENGTH_MAX);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1.", ".1", "-1.0", "1.0.0", "1234567890123456.0", "a.b"})
    void what_is_no_cursor_is_refused(String text) {
        assertThatThrownBy(() -> OutputCursor.of(text)).isInstanceOf(Refusal.class);
    }
}
