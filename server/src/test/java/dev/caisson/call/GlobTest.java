package dev.caisson.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class GlobTest {
    @Test
    void a_star_stands_for_any_characters_and_a_question_mark_for_one() {
        assertThat(new Glob("delete_*").matches("delete_")).isTrue();
        assertThat(new Glob("delete_*").matches("delete_repo")).isTrue();
        assertThat(new Glob("delete_*").matches("undelete_repo")).isFalse();
        assertThat(new Glob("*.get?*s").matches("github.get_issues")).isTrue();
        assertThat(new Glob("a?").matches("a")).isFalse();
        assertThat(new Glob("a?").matches("ab")).isTrue();
        assertThat(Glob.ALL.matches("")).isTrue();
    }

    @Test
    void everything_else_stands_for_itself() {
        assertThat(new Glob("a.b").matches("axb")).isFalse();
        assertThat(new Glob("A*").matches("abc")).as("case counts").isFalse();
        assertThat(new Glob("a-b/c").matches("a-b/c")).isTrue();
    }

    @Test
    void a_pattern_is_short_and_of_the_characters_of_names() {
        assertThat(Glob.isGlob("x".repeat(Glob.LENGTH_MAX))).isTrue();
        assertThat(Glob.isGlob("x".repeat(Glob.LENGTH_MAX + 1))).isFalse();
        assertThat(Glob.isGlob("")).isFalse();
        assertThat(Glob.isGlob("[a]")).isFalse();
        assertThatThrownBy(() -> new Glob("a b")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void no_pattern_is_explosive() {
        var glob = new Glob("*a".repeat(99) + "*b");
        var began = System.nanoTime();

        assertThat(glob.matches("a".repeat(128))).isFalse();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    }
}
