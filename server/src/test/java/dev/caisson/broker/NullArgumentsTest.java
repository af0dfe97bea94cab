package dev.caisson.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class NullArgumentsTest {
    private static final String SCHEMA =
            """
            {"type": "object", "required": ["needed"], "properties": {
              "needed": {"type": "string"},
              "text": {"type": "string"},
              "maybe": {"type": ["string", "null"]},
              "free": {},
              "choice": {"anyOf": [{"type": "string"}, {"type": "null"}]},
              "inner": {"type": "object", "properties": {"count": {"type": "integer"}}}}}
            """;

    private static String without(String arguments) {
        return Json.text(
                NullArguments.without((ObjectNode) Json.parse(arguments), Json.parse(SCHEMA)));
    }

    @Test
    void null_where_a_value_is_wanted_is_absent() {
        assertThat(without("{\"text\":null,\"needed\":\"x\"}")).isEqualTo("{\"needed\":\"x\"}");
        assertThat(without("{\"inner\":{\"count\":null}}")).isEqualTo("{\"inner\":{}}");
    }

    @Test
    void null_means_itself_where_it_is_allowed_or_something_is_needed() {
        for (var same :
                new String[] {
                    "{\"needed\":null}",
                    "{\"maybe\":null}",
                    "{\"free\":null}",
                    "{\"choice\":null}",
                    "{\"unknown\":null}"
                }) {
            assertThat(without(same)).isEqualTo(same);
        }
    }

    @Test
    void arguments_without_any_stay_as_they_are() {
        var arguments = (ObjectNode) Json.parse("{\"text\":\"x\",\"inner\":{\"count\":1}}");
        assertThat(NullArguments.without(arguments, Json.parse(SCHEMA))).isEqualTo(arguments);
    }
}
