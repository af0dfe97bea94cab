package dev.caisson.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.broker.NormalResult;
import dev.caisson.json.Json;
import dev.caisson.redact.Redactor;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/// What an upstream answers has no value of its credentials, whatever characters it writes it in.
class StruckAnswerTest {
    private static final String TOKEN = "hunter2/hunter2";

    private static ObjectNode struck(ObjectNode received) {
        return new StruckAnswer(new Redactor(List.of(TOKEN), false)).of(received);
    }

    private static ObjectNode answer(String text) {
        var answer = Json.object();
        answer.putArray("content").addObject().put("type", "text").put("text", text);
        return answer;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":\"hunter2\\/hunter2\"}",
                " [[\"Bearer hunter2\\u002fhunter2\"]]",
                "{\"\\u0068unter2/hunter2\":1}",
                "{\"a\":\"hunter2/hunter2\"}",
                "hunter2/hunter2"
            })
    void a_text_that_programs_read_as_json_has_no_value(String text) {
        var data = NormalResult.of(CallResult.of(struck(answer(text)))).data();
        assertThat(data.toString()).doesNotContain(TOKEN).contains("[REDACTED");
    }

    @Test
    void so_has_the_text_of_a_resource() {
        var text = "{\"a\":\"hunter2\\/hunter2\"}";
        var embedded = Json.object();
        embedded.putArray("content")
                .addObject()
                .put("type", "resource")
                .putObject("resource")
                .put("uri", "a://b")
                .put("text", text);
        var read = Json.object();
        read.putArray("contents").addObject().put("uri", "a://b").put("text", text);
        assertThat(struck(embedded).at("/content/0/resource/text").stringValue())
                .isEqualTo("{\"a\":\"[REDACTED:secret]\"}");
        assertThat(struck(read).at("/contents/0/text").stringValue())
                .isEqualTo("{\"a\":\"[REDACTED:secret]\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"a\": \"x\\/y\"}", "{\"a\": \"\\u00e9", "a\\/b", "[1e2, \"\\u0041\"]"})
    void other_texts_are_as_they_came(String text) {
        assertThat(struck(answer(text)).at("/content/0/text").stringValue()).isEqualTo(text);
    }
}
