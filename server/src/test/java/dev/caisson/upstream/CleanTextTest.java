package dev.caisson.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class CleanTextTest {
    @Test
    void what_hides_is_taken_out() {
        var tags = new StringBuilder("a");
        "ignore".chars().forEach(letter -> tags.appendCodePoint(0xE0000 + letter));

        assertThat(CleanText.description(tags.append("b").toString())).isEqualTo("ab");
        assertThat(CleanText.description("x\u200b\u202ey\u2066z\u2069\ufeff")).isEqualTo("xyz");
        assertThat(CleanText.description("x\u001b[31my\u0000\u0007\u0085")).isEqualTo("x[31my");
        assertThat(CleanText.description("x\ue000y\uf8ffz")).isEqualTo("xyz");
        assertThat(CleanText.description("x\u0378y")).as("unassigned").isEqualTo("xy");
        assertThat(CleanText.description("x\u2028y\u2029z")).isEqualTo("xyz");
        assertThat(CleanText.description("x\ud800y")).as("half of a pair").isEqualTo("xy");
        assertThat(CleanText.description("x\u3164y\ufe0fz"))
                .as("drawn as nothing")
                .isEqualTo("xyz");
    }

    @Test
    void lines_and_letters_stay() {
        assertThat(CleanText.description(" a\r\nb\rc\td ")).isEqualTo("a\nb\nc d");
        assertThat(CleanText.title("a\nb")).isEqualTo("a b");
        assertThat(CleanText.description("äöü 漢字 🎉")).isEqualTo("äöü 漢字 🎉");
        assertThat(CleanText.description("a\u0308")).as("one form").isEqualTo("ä");
        assertThat(CleanText.isClean("a\u0308")).isFalse();
    }

    @Test
    void texts_are_cut_on_the_far_side_of_their_limit() {
        assertThat(CleanText.title("🎉".repeat(100))).isEqualTo("🎉".repeat(100));
        assertThat(CleanText.title("🎉".repeat(101))).isEqualTo("🎉".repeat(99) + "…");
        assertThat(CleanText.description("x".repeat(2048))).hasSize(2048);
        assertThat(CleanText.description("x".repeat(2049))).hasSize(2048).endsWith("…");
        assertThat(CleanText.member("x".repeat(500))).hasSize(500).endsWith("x");
        assertThat(CleanText.member("x".repeat(501))).hasSize(500).endsWith("…");
        assertThat(CleanText.description("x".repeat(50_000_000))).hasSize(2048);
    }

    @Test
    void a_definition_is_cleaned_and_what_is_checked_stays() {
        var definition =
                ToolDefinition.of(
                        object(
                                """
                                {"name": "get.it", "title": "Get\\u200b it", "description": "One\\u202e two",
                                 "inputSchema": {"type": "object", "$comment": "hidden", "properties": {
                                   "description": {"type": "string", "description": "a\\u200bb", "examples": ["x"]},
                                   "title": {"const": "t", "title": "T\\u0007"}}},
                                 "annotations": {"readOnlyHint": true, "idempotentHint": true}}
                                """));

        assertThat(definition.title()).isEqualTo("Get it");
        assertThat(definition.description()).isEqualTo("One two");
        assertThat(definition.inputSchema())
                .isEqualTo(
                        object(
                                """
                                {"type": "object", "properties": {
                                   "description": {"type": "string", "description": "ab"},
                                   "title": {"const": "t", "title": "T"}}}
                                """));
        assertThat(definition.annotated().word()).isEqualTo("read");
        assertThat(definition.idempotent()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|unknown",
                "{\"readOnlyHint\": true, \"destructiveHint\": true}|read",
                "{\"readOnlyHint\": false}|destroy",
                "{\"destructiveHint\": false}|write",
                "{\"destructiveHint\": true}|destroy",
                "{\"readOnlyHint\": \"yes\"}|destroy"
            })
    void annotations_claim_an_effect(String annotations, String effect) {
        var received = object("{\"name\": \"a\", \"inputSchema\": {\"type\": \"object\"}}");
        received.set("annotations", Json.parse(annotations));

        assertThat(ToolDefinition.of(received).annotated().word()).isEqualTo(effect);
    }

    private static ObjectNode object(String json) {
        return (ObjectNode) Json.parse(json);
    }
}
