package dev.caisson.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;

class BrokenJsonTest {
    private static String said(String text) {
        var broken =
                catchThrowableOfType(
                        JacksonException.class, () -> Json.parseRequest(text.getBytes(UTF_8)));
        assertThat(broken).as(text).isNotNull();
        return BrokenJson.sentence("The body", broken);
    }

    @Test
    void a_member_that_is_there_twice_is_named() {
        assertThat(said("{\"code\":1,\"code\":2}")).isEqualTo("The body has the member code twice");
        assertThat(said("{\"a\":{\"b'c\":1,\"b'c\":2}}"))
                .isEqualTo("The body has the member b'c twice");
    }

    @Test
    void a_long_name_is_cut() {
        var name = "x".repeat(10_000);
        assertThat(said("{\"%s\":1,\"%s\":2}".formatted(name, name)))
                .hasSizeLessThan(1000)
                .endsWith(" twice");
    }

    @Test
    void what_is_beyond_a_limit_is_said_to_be() {
        assertThat(said("[".repeat(5000))).contains("within our limits", "nested too deeply");
        assertThat(said("1".repeat(100_000))).contains("within our limits");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\":",
                "{\"name\"",
                "{name:1}",
                "{'a':1}",
                "[1,]",
                "NaN",
                "nul",
                "1 2",
                "{} {}",
                "01",
                "\"\u0001\"",
                "\"\\x\"",
                "\"\\ud800\"",
                "// a\n1",
                "1e99999999999",
                "{\"a\":1}}",
                "\"open"
            })
    void no_words_of_the_parser_inside_are_shown(String text) {
        assertThat(said(text))
                .startsWith("The body is not JSON: ")
                .doesNotContain("`", "FAIL_ON", "ALLOW_", "Feature", "StreamRead", "tools.jackson");
    }
}
