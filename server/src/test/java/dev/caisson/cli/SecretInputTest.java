package dev.caisson.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Values of secrets come from a prompt or from standard input.
final class SecretInputTest {
    private static String piped(byte[] bytes) throws Exception {
        return SecretInput.read(new ByteArrayInputStream(bytes), Optional.empty(), "n");
    }

    @Test
    void one_line_end_is_left_out() throws Exception {
        assertThat(piped("v\n".getBytes(UTF_8))).isEqualTo("v");
        assertThat(piped("v\r\n".getBytes(UTF_8))).isEqualTo("v");
        assertThat(piped("a\nb\n\n".getBytes(UTF_8))).isEqualTo("a\nb\n");
        assertThat(piped(" v ".getBytes(UTF_8))).isEqualTo(" v ");
    }

    @Test
    void nothing_and_no_text_are_refused() {
        assertThatThrownBy(() -> piped(new byte[0])).hasMessageContaining("no value");
        assertThatThrownBy(() -> piped("\n".getBytes(UTF_8))).hasMessageContaining("no value");
        assertThatThrownBy(() -> piped("ä".getBytes(ISO_8859_1))).hasMessageContaining("UTF-8");
    }

    @Test
    void a_prompt_comes_before_standard_input() throws Exception {
        var nothing = new ByteArrayInputStream(new byte[0]);
        assertThat(
                        SecretInput.read(
                                nothing,
                                Optional.of(question -> Optional.of("typed for " + question)),
                                "n"))
                .isEqualTo("typed for Value of n: ");
        assertThatThrownBy(() -> SecretInput.read(nothing, Optional.of(_ -> Optional.empty()), "n"))
                .hasMessageContaining("no value");
    }
}
