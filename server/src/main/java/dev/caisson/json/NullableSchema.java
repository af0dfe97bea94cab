package dev.caisson.json;

import java.util.Objects;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Schemas of members that are `null` where they have no value.
final class NullableSchema {
    private static final String NULL = "null";

    private NullableSchema() {}

    /// @param schema says one type, or none because anything is allowed, which includes `null`
    static ObjectNode of(ObjectNode schema) {
        if (schema.path("type").isString()) {
            var type = schema.get("type").stringValue();
            schema.putArray("type").add(type).add(NULL);
        }
        if (schema.has("enum")) {
            ((ArrayNode) Objects.requireNonNull(schema.get("enum"))).addNull();
        }
        return schema;
    }
}
