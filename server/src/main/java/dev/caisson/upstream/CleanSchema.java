package dev.caisson.upstream;

import dev.caisson.json.Json;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Cleaning of the texts in a schema: titles and descriptions are cleaned and cut, remarks and
/// examples left out. What calls are checked against stays as it was received.
final class CleanSchema {
    /// Keywords whose members are names, each with a schema.
    static final Set<String> NAMED =
            Set.of(
                    "properties",
                    "patternProperties",
                    "$defs",
                    "definitions",
                    "dependentSchemas",
                    "dependencies");

    /// Keywords that hold values.
    static final Set<String> VALUES = Set.of("const", "enum", "default");

    private static final Set<String> REMARKS = Set.of("$comment", "examples", "example");

    private CleanSchema() {}

    /// @param schema an object
    static ObjectNode of(JsonNode schema) {
        return (ObjectNode) cleaned(schema);
    }

    private static JsonNode cleaned(JsonNode schema) {
        if (schema.isArray()) {
            var items = Json.array();
            schema.forEach(item -> items.add(cleaned(item)));
            return items;
        }
        if (!schema.isObject()) {
            return schema;
        }
        var clean = Json.object();
        schema.properties().forEach(member -> put(clean, member.getKey(), member.getValue()));
        return clean;
    }

    private static void put(ObjectNode clean, String keyword, JsonNode value) {
        if (REMARKS.contains(keyword)) {
            return;
        }
        if (VALUES.contains(keyword)) {
            clean.set(keyword, value);
        } else if (keyword.equals("title") && value.isString()) {
            clean.put(keyword, CleanText.title(value.stringValue()));
        } else if (keyword.equals("description") && value.isString()) {
            clean.put(keyword, CleanText.member(value.stringValue()));
        } else if (NAMED.contains(keyword) && value.isObject()) {
            var named = clean.putObject(keyword);
            value.properties()
                    .forEach(member -> named.set(member.getKey(), cleaned(member.getValue())));
        } else {
            clean.set(keyword, cleaned(value));
        }
    }
}
