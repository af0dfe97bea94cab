package dev.caisson.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
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

    /// An array of so many numbers has two tokens more.
    @Test
    void a_request_is_read_up_to_the_limit_of_tokens() {
        assertThat(Json.parseRequest(numbers(Json.REQUEST_TOKENS_MAX - 2)).isArray()).isTrue();
        assertThatThrownBy(() -> Json.parseRequest(numbers(Json.REQUEST_TOKENS_MAX)))
                .isInstanceOf(JacksonException.class);
        assertThat(Json.parse(numbers(Json.REQUEST_TOKENS_MAX)).isArray()).isTrue();
    }

    @Test
    void a_request_has_no_half_of_a_surrogate_pair() {
        var whole = "{\"a\":\"\\ud83d\\ude00 \\u00e4\"}";
        assertThat(Json.parseRequest(ascii(whole)).get("a").stringValue())
                .isEqualTo("\ud83d\ude00 ä");
        for (var half :
                List.of(
                        "{\"a\":\"x\\ud800\"}",
                        "{\"a\":[\"\\uDC00x\"]}",
                        "{\"\\ud800\":1}",
                        "{\"a\":\"\\ud800\\ud800\"}")) {
            assertThatThrownBy(() -> Json.parseRequest(ascii(half)))
                    .isInstanceOf(JacksonException.class)
                    .hasMessageContaining("surrogate");
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] numbers(int count) {
        return ("[" + "1,".repeat(count - 1) + "1]").getBytes(StandardCharsets.US_ASCII);
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
