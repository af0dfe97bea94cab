package dev.caisson.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;

class JsonTest {
    @Test
    void nesting_is_read_up_to_the_limit() {
        assertThat(Json.parse(nested(Json.DEPTH_MAX)).isArray()).isTrue();
        refused(nested(Json.DEPTH_MAX + 1));
    }

    @Test
    void numbers_are_read_up_to_the_limit() {
        assertThat(Json.parse("1".repeat(Json.NUMBER_LENGTH_MAX)).isNumber()).isTrue();
        refused("1".repeat(Json.NUMBER_LENGTH_MAX + 1));
    }

    @Test
    void a_name_twice_and_anything_after_the_value_are_refused() {
        refused("{\"a\":1,\"a\":2}");
        refused("{} {}");
    }

    private static String nested(int depth) {
        return "[".repeat(depth) + "]".repeat(depth);
    }

    private static void refused(String text) {
        assertThatThrownBy(() -> Json.parse(text)).isInstanceOf(JacksonException.class);
    }
}
