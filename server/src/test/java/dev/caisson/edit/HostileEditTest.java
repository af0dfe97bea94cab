package dev.caisson.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Edits whose texts were made to cost more than they are long.
class HostileEditTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static Replacement of(String text, String old, String now, boolean all) {
        return assertTimeoutPreemptively(
                PATIENCE, () -> Replacement.of("f", text, old, now, all, shown -> shown));
    }

    private static String refusal(String text, String old, String now, boolean all) {
        return ((Replacement.Impossible) of(text, old, now, all)).sentence();
    }

    @Test
    void spaces_that_end_no_line_are_passed_over_once() {
        var spaces = " \t".repeat(Matcher.GRADED_MAX / 2 - 1) + "x";
        assertThat(refusal(spaces, "nowhere\n", "new", false)).startsWith("old_string not found");
    }

    @Test
    void a_text_that_nearly_stands_everywhere_is_sought_in_linear_time() {
        var same = "a".repeat(8 << 20);
        assertThat(refusal(same, "a".repeat(1 << 19) + "b", "new", false))
                .startsWith("old_string not found in f.");
        assertThat(refusal("a ".repeat(1 << 20) + "b", "a ".repeat(1 << 18) + "\t", "new", false))
                .startsWith("old_string not found in f.");
    }

    @Test
    void lines_that_are_all_the_same_are_compared_a_bounded_number_of_times() {
        var lines = "same\n".repeat(99_000);
        assertThat(refusal(lines, "same\n".repeat(90_000) + "other", "new", false))
                .contains("The nearest text is at lines 1-90001");
        assertThat(refusal("\n".repeat(8 << 20), "a\nb", "new", false))
                .isEqualTo("old_string not found in f.");
    }

    @Test
    void a_file_does_not_grow_past_what_can_be_edited() {
        var ones = "a".repeat(1 << 14);
        assertThat(of(ones, "a", "b".repeat(1 << 10), true))
                .isInstanceOfSatisfying(
                        Replacement.Done.class,
                        done -> assertThat(done.text()).hasSize(Replacement.BYTES_MAX));
        assertThat(refusal(ones + "a", "a", "b".repeat(1 << 10), true))
                .isEqualTo("f would have 17 MiB; edit makes files up to 16 MiB. Use a program.");
        var breaks = "a\r\n".repeat(1 << 10);
        assertThat(refusal(breaks, "a", "\n".repeat(1 << 13), true))
                .startsWith("f would have 17 MiB");
    }

    @Test
    void places_are_counted_up_to_a_limit() {
        var most = "a".repeat(Matcher.PLACES_MAX);
        assertThat(of(most, "a", "b", true)).isInstanceOf(Replacement.Done.class);
        assertThat(refusal(most + "a", "a", "b", true))
                .isEqualTo(
                        "old_string matched more than 100000 times in f; add context to make it match less.");
    }

    @Test
    void a_text_that_goes_on_behind_the_end_says_so() {
        assertThat(refusal("one\ntwo", "one\ntwo\nthree", "new", false))
                .isEqualTo(
                        "old_string not found in f. The nearest text is at lines 1-2; the file ends there, old_string goes on with \"three\".");
    }

    @Test
    void what_is_secret_is_taken_out_before_a_line_is_cut() {
        var line = "k".repeat(150) + "hunter2-hunter2";
        var refused =
                (Replacement.Impossible)
                        Replacement.of(
                                "f",
                                line,
                                "k".repeat(150) + "z",
                                "new",
                                false,
                                shown -> shown.replace("hunter2-hunter2", "[X]"));
        assertThat(refused.sentence()).contains("[X]").doesNotContain("hunter");
    }
}
