package dev.caisson.broker;

import dev.caisson.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Language models write `null` for what they leave out. Where a schema has an optional member that
/// cannot be null, such a member is taken as absent; everywhere else `null` means itself.
final class NullArguments {
    private NullArguments() {}

    /// The same arguments without those members.
    static ObjectNode without(ObjectNode arguments, JsonNode schema) {
        var kept = Json.object();
        for (var member : arguments.properties()) {
            var name = member.getKey();
            var value = member.getValue();
            var wanted = schema.path("properties").path(name);
            if (!value.isNull() || required(schema, name) || !refusesNull(wanted)) {
                kept.set(
                        name, value instanceof ObjectNode object ? without(object, wanted) : value);
            }
        }
        return kept;
    }

    private static boolean required(JsonNode schema, String name) {
        return schema.path("required").valueStream().anyMatch(item -> names(item, name));
    }

    /// Only what says its type is judged: anything else might allow null in a way that only a
    /// validation finds out.
    private static boolean refusesNull(JsonNode schema) {
        var type = schema.path("type");
        return type.isArray()
                ? type.valueStream().noneMatch(item -> names(item, "null"))
                : type.isString() && !names(type, "null");
    }

    private static boolean names(JsonNode word, String name) {
        return word.isString() && word.stringValue().equals(name);
    }
}
