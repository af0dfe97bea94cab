package dev.caisson.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PrintableTest {
    @Test
    void what_controls_a_terminal_is_escaped_in_text_and_in_json() {
        var hostile = "a\u202E\u009B\u001B\n\uD800é😀";
        assertThat(Printable.text(hostile)).isEqualTo("a\\u202E\\u009B\\u001B\\u000A\\uD800é😀");
        var tree = Json.object().put("id", "a\u202E\u009B\u001B");
        var printed = Printable.json(Json.pretty(tree));
        assertThat(printed).doesNotContain("\u202E").doesNotContain("\u009B").contains("\\u202E");
        assertThat(Json.parse(printed)).isEqualTo(tree);
    }
}
