package dev.caisson.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A text stands in a header as it is, or encoded where it could not.
class HeaderTextTest {
    @Test
    void what_can_stand_in_a_header_stands_as_it_is() {
        for (var text : List.of("a", "tool.name-1", "two words", "=?base64?", "?=")) {
            assertThat(HeaderText.encoded(text)).isEqualTo(text);
        }
    }

    @Test
    void anything_else_is_encoded() {
        for (var text : List.of("", " a", "a ", "ü", "a\nb", "a\tb", "\u007f", "=?base64?YQ==?=")) {
            var encoded = HeaderText.encoded(text);
            assertThat(encoded).startsWith("=?base64?").endsWith("?=");
            var inner = encoded.substring("=?base64?".length(), encoded.length() - 2);
            assertThat(new String(Base64.getDecoder().decode(inner), StandardCharsets.UTF_8))
                    .isEqualTo(text);
        }
    }
}
