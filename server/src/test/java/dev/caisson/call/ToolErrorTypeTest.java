package dev.caisson.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ToolErrorTypeTest {
    @Test
    void every_type_has_a_word_of_its_own() {
        for (var type : ToolErrorType.values()) {
            assertThat(type.word()).matches("([A-Z][a-z]+)+");
            assertThat(ToolErrorType.ofWord(type.word())).isEqualTo(type);
        }
        assertThatThrownBy(() -> ToolErrorType.ofWord("denied")).hasMessageContaining("denied");
    }

    @Test
    void a_refusal_has_the_type_it_names_or_that_of_its_reason() {
        var given = Refusal.of(ToolErrorType.RATE_LIMIT, Reason.DENIED, "No.");
        assertThat(given.type()).isEqualTo(ToolErrorType.RATE_LIMIT);
        assertThat(given.isRetryable()).isTrue();
        var plain = new Refusal(Reason.DENIED, "No.");
        assertThat(plain.type()).isEqualTo(ToolErrorType.DENIED);
        assertThat(plain.givenType()).isEmpty();
        for (var reason : Reason.values()) {
            assertThat(new Refusal(reason, "No.").type()).isEqualTo(ToolErrorType.of(reason));
        }
    }
}
