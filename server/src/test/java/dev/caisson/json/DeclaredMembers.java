package dev.caisson.json;

import static org.assertj.core.api.Assertions.assertThat;

import tools.jackson.databind.JsonNode;

/// Walks the declared schema of a result and the result side by side.
public final class DeclaredMembers {
    private int seen;

    private DeclaredMembers() {}

    /// Every member that the schema names, at every depth, is required and there, and of its type.
    ///
    /// @return how many members were seen
    public static int assertAllThere(JsonNode schema, JsonNode value) {
        assertThat(Schema.of(schema).complaints(value)).as(Json.text(value)).isEmpty();
        var members = new DeclaredMembers();
        members.walk("", schema, value);
        return members.seen;
    }

    private void walk(String where, JsonNode schema, JsonNode value) {
        if (value.isNull()) {
            return;
        }
        assertThat(schema.path("required").valueStream().map(JsonNode::stringValue))
                .as("required at " + where)
                .containsExactlyInAnyOrderElementsOf(schema.path("properties").propertyNames());
        for (var member : schema.path("properties").properties()) {
            var path = where + "/" + member.getKey();
            assertThat(value.has(member.getKey())).as(path).isTrue();
            seen++;
            walk(path, member.getValue(), value.get(member.getKey()));
        }
        if (value.isArray()) {
            value.forEach(item -> walk(where + "/*", schema.path("items"), item));
        }
    }
}
