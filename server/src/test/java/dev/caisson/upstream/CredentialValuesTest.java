package dev.caisson.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.ToolErrorType;
import dev.caisson.json.Json;
import dev.caisson.upstream.connection.UpstreamFailure;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// The values of credentials are struck from what an upstream says of itself, in whatever it says
/// it.
final class CredentialValuesTest {
    private static final String TOKEN = "hunter2hunter2";

    private static CredentialValues values(String secret) throws UpstreamMistakes {
        var entry =
                """
                {"url": "https://a.example/mcp",
                 "credentials": {"kind": "header", "headers": {"Authorization": "Bearer ${secret:t}"}}}
                """;
        var settings = UpstreamReader.read("a", (ObjectNode) Json.parse(entry));
        var values = new CredentialValues(settings, _ -> secret);
        assertThat(values.headers()).containsEntry("Authorization", "Bearer " + secret);
        return values;
    }

    @Test
    void a_sentence_has_neither_the_value_nor_what_a_terminal_obeys() throws Exception {
        var said = "refused: \u001b[31m" + TOKEN + "\u202e, hunter2\u200bhunter2";
        var failure = new UpstreamFailure(ToolErrorType.TOOL_FAILED, true, said);
        var told = values(TOKEN).failure(failure);
        assertThat(told.sentence())
                .startsWith("refused: [31m[")
                .doesNotContain(TOKEN, "\u001b", "\u202e", "\u200b");
        assertThat(told.type()).isEqualTo(failure.type());
        assertThat(told.sent()).isTrue();
    }

    @Test
    void a_sentence_is_not_longer_than_its_limit() throws Exception {
        var most = CredentialValues.SENTENCE_LENGTH_MAX;
        assertThat(values(TOKEN).sentence("x".repeat(most))).hasSize(most);
        assertThat(values(TOKEN).sentence("x".repeat(most + 1))).hasSize(most).endsWith("…");
    }

    @Test
    void a_definition_has_no_value_wherever_it_stood() throws Exception {
        var tool = FakeLinks.tool("get", "Send Bearer " + TOKEN);
        var properties = (ObjectNode) tool.at("/inputSchema/properties");
        properties.putObject(TOKEN).put("description", TOKEN).putArray("enum").add(TOKEN);
        var stricken = values(TOKEN).stricken(List.of(tool)).getFirst();
        assertThat(stricken.toString()).doesNotContain(TOKEN).contains("REDACTED");
        assertThat(stricken.at("/inputSchema/properties/q/type").asString()).isEqualTo("string");
    }

    @Test
    void a_secret_that_is_a_word_of_schemas_leaves_them_as_they_are() throws Exception {
        var tool = FakeLinks.tool("get", "x");
        assertThat(values("object").stricken(List.of(tool))).containsExactly(tool);
    }
}
