package dev.caisson.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

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

    /// What a double would change is kept as it was written; what it would not is a double.
    @Test
    void no_number_loses_anything() {
        var beyond =
                "[123456789012345678901234567890,9007199254740993,"
                        + "0.1234567890123456789012345678901,-1.00000000000000000001,"
                        + "0.1000000000000000055511151231257827,1E+400,1E-400,12345678901234567890.5]";
        assertThat(Json.text(Json.parse(beyond))).isEqualTo(beyond);
        assertThat(Json.text(Json.parseRequest(ascii(beyond)))).isEqualTo(beyond);
        assertThat(Json.text(Json.tree(Map.of("a", Json.parse(beyond)))))
                .isEqualTo("{\"a\":" + beyond + "}");
        var copied = Json.read(Json.parse("{\"a\":" + beyond + "}"), Holder.class).a();
        assertThat(Json.text(copied)).isEqualTo(beyond);

        assertThat(Json.text(Json.parse("[0.1,-0.0,1.5,0.30000000000000004,1e5,1.0]")))
                .isEqualTo("[0.1,-0.0,1.5,0.30000000000000004,100000.0,1.0]");
        assertThat(Json.parse("1.5").isDouble()).isTrue();
    }

    record Holder(JsonNode a) {}

    @Test
    void a_number_with_an_endless_exponent_costs_nothing_or_is_refused() {
        for (var text : List.of("1e2147483647", "-1e2147483647", "1e-2147483647")) {
            var number = Json.parse(text);
            assertThat(Json.text(number)).hasSizeLessThan(20);
            assertThat(number.canConvertToLong()).isFalse();
        }
        for (var text : List.of("1e2147483648", "1e99999999999", "1e-99999999999")) {
            refused(text);
        }
    }

    @Test
    void nothing_at_all_is_no_value() {
        assertThat(Json.parse("").isMissingNode()).isTrue();
        assertThat(Json.parseRequest(new byte[0]).isMissingNode()).isTrue();
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
