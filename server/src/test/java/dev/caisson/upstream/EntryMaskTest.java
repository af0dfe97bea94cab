package dev.caisson.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// What of an entry is shown, and what a request may have in one.
final class EntryMaskTest {
    private static ObjectNode entry(String text) {
        return (ObjectNode) Json.parse(text);
    }

    @Test
    void only_names_of_secrets_are_shown() {
        var entry =
                entry(
                        """
                        {"url": "https://a.example/mcp?key=hunter2",
                         "env": {"MODE": "hunter2", "TOKEN": "${secret:token}"},
                         "credentials": {"kind": "header", "headers":
                            {"Authorization": "Bearer ${secret:token}", "X-Key": "hunter2"}}}
                        """);
        var shown = EntryMask.of(entry);
        assertThat(shown.toString())
                .doesNotContain("hunter2")
                .contains("\"TOKEN\":\"${secret:token}\"", "Bearer ${secret:token}")
                .contains("https://a.example/mcp?(not shown)", "\"MODE\":\"(not shown)\"");
        assertThat(entry.toString()).as("the entry itself").contains("hunter2");
        assertThat(EntryMask.of(entry("{\"url\": \"https://a.example/\", \"env\": 3}")).toString())
                .isEqualTo("{\"url\":\"https://a.example/\",\"env\":3}");
    }

    @Test
    void a_request_has_no_values_of_secrets() {
        for (var refused :
                List.of(
                        "{\"url\": \"https://a.example/\", \"credentials\": {\"kind\": \"header\","
                                + " \"headers\": {\"X-Key\": \"hunter2\"}}}",
                        "{\"command\": [\"node\"], \"credentials\": {\"kind\": \"env\","
                                + " \"env\": {\"A\": \"hunter2\"}}}",
                        "{\"command\": [\"node\"], \"env\": {\"API_TOKEN\": \"hunter2\"}}",
                        "{\"command\": [\"node\"], \"env\": {\"MODE\": \"(not shown)\"}}")) {
            assertThatThrownBy(() -> EnteredEntry.read("a", entry(refused), true))
                    .as(refused)
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal ->
                                    assertThat(refusal.reason()).isEqualTo(Reason.INVALID_ARGUMENT))
                    .hasMessageContaining("${secret:name}")
                    .hasMessageNotContaining("hunter2");
        }
        var taken =
                "{\"command\": [\"node\"], \"env\": {\"MODE\": \"fast\", \"API_TOKEN\": \"${secret:t}\"}}";
        assertThat(EnteredEntry.read("a", entry(taken), true).id()).isEqualTo("a");
        assertThatThrownBy(() -> EnteredEntry.read("a", entry(taken), false))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(Reason.FORBIDDEN));
    }
}
