package dev.caisson.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinearPatternTest {
    private static LinearPattern pattern(String expression) {
        return new LinearPattern("grep", expression, 1_000);
    }

    private static void assertRefused(String expression, String words) {
        assertThatThrownBy(() -> pattern(expression))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.INVALID_ARGUMENT);
                            assertThat(refusal.details()).containsEntry("parameter", "grep");
                        })
                .hasMessageContaining(words);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(?:(?:(?:(?:){1000}){1000}){1000}){1000}",
                "((((a{100}){100}){100}){100})",
                "(a{1000}[)]){1000}",
                "(a{1000}[])]){1000}",
                "(a{1000}[^])]){1000}",
                "(a{1000}[[:alpha:])]){1000}",
                "(a{1000}[\\]\\)]){1000}",
                "(a{1000}\\Q)\\E){1000}",
                "(a{1000}\\)){1000}",
                "(a{0,1000}){1,1000}",
                "(a{900,}){900,}",
                "a{1000}b{1000}c",
                "(?i:(?P<n>x{50}){50})"
            })
    void counted_repetitions_that_multiply_are_refused_before_they_are_written_out(String hostile) {
        assertRefused(hostile, "too large");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
                "(\\d{1,3}\\.){3}\\d{1,3}",
                "a{1000}",
                "\\{\"a\": {2}[{}]{3}",
                "a{,3}{x}",
                "(?i)error|warn(ing)?\\b",
                "\\Qa{1000}{1000}\\E"
            })
    void ordinary_expressions_are_taken(String expression) {
        assertThat(pattern(expression)).isNotNull();
    }

    @Test
    void both_sides_of_the_limits_are_where_they_are_said_to_be() {
        assertThat(pattern("(a{50}){39}")).isNotNull();
        assertRefused("(a{50}){40}", "more than " + PatternSize.STEPS_MAX);
        var depth = PatternSize.DEPTH_MAX;
        assertThat(pattern("(".repeat(depth) + ")".repeat(depth))).isNotNull();
        assertRefused("(".repeat(depth + 1) + ")".repeat(depth + 1), "nested too deep");
        assertThat(pattern("a".repeat(1_000))).isNotNull();
        assertRefused("a".repeat(1_001), "longer than 1000");
    }

    @Test
    void what_is_not_of_the_syntax_is_named_with_its_place() {
        assertRefused("ab(?=c)", "at 2: (?=");
        assertRefused("a++", "RE2");
        assertRefused("(", "RE2");
        assertRefused("(a)\\1", "at 3: \\1");
    }

    @Test
    void it_finds_what_it_says() {
        assertThat(pattern("^tw.$").isFoundIn("two")).isTrue();
        assertThat(pattern("^tw.$").isFoundIn("twos")).isFalse();
        assertThat(pattern("é+ß").isFoundIn("x éß")).isTrue();
    }
}
