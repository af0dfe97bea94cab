package dev.caisson.broker;

import dev.caisson.json.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Schemas of tools as they are listed: true, and shorter than those that calls are checked
/// against. Everything the whole schema allows, the brief one allows too.
final class BriefSchema {
    /// What helps to write an argument. Lengths, patterns and names that are not known are told by
    /// a refusal, in words. What is off unless it is asked for, and a bound that nobody meets, need
    /// no word.
    private static final List<String> INPUT =
            List.of("type", "enum", "maximum", "default", "description");

    private BriefSchema() {}

    /// @param unlisted members that are left out
    static ObjectNode input(ObjectNode schema, Set<String> unlisted) {
        return members(schema, unlisted);
    }

    /// With these members alone, and those that are required.
    static ObjectNode only(ObjectNode schema, Set<String> members) {
        var unlisted = new HashSet<String>();
        schema.path("properties").propertyNames().forEach(unlisted::add);
        unlisted.removeAll(members);
        schema.path("required").valueStream().forEach(name -> unlisted.remove(name.asString("")));
        return members(schema, unlisted);
    }

    /// The members and their types; not what is within them, nor which of them are always there.
    static ObjectNode output(ObjectNode schema, Set<String> unlisted) {
        var brief = anyOutput();
        var properties = brief.putObject("properties");
        for (var member : schema.path("properties").properties()) {
            var type = member.getValue().path("type");
            if (!unlisted.contains(member.getKey())) {
                var named = properties.putObject(member.getKey());
                if (type.isString()) {
                    named.set("type", type);
                }
            }
        }
        return brief;
    }

    /// That there is one.
    static ObjectNode anyOutput() {
        return Json.object().put("type", "object");
    }

    private static boolean hasMembers(ObjectNode schema) {
        return schema.path("type").asString("").equals("object") && schema.has("properties");
    }

    private static ObjectNode members(ObjectNode schema, Set<String> unlisted) {
        if (!hasMembers(schema)) {
            return schema.deepCopy();
        }
        var brief = Json.object().put("type", "object");
        var properties = brief.putObject("properties");
        for (var member : schema.path("properties").properties()) {
            if (!unlisted.contains(member.getKey())) {
                properties.set(member.getKey(), member(member.getValue()));
            }
        }
        if (schema.has("required")) {
            brief.set("required", schema.path("required"));
        }
        return brief;
    }

    /// A schema without a type says what it allows in another way.
    private static JsonNode member(JsonNode schema) {
        if (!schema.has("type")) {
            return schema;
        }
        var brief = Json.object();
        for (var keyword : INPUT) {
            if (schema.has(keyword) && !goesWithoutSaying(keyword, schema.path(keyword))) {
                brief.set(keyword, schema.path(keyword));
            }
        }
        within(schema, brief);
        return brief;
    }

    private static boolean goesWithoutSaying(String keyword, JsonNode value) {
        return switch (keyword) {
            case "default" -> value.isBoolean() && !value.booleanValue();
            case "maximum" -> value.isNumber() && value.doubleValue() > Integer.MAX_VALUE;
            default -> false;
        };
    }

    /// What stands within a list or an object that a caller writes.
    private static void within(JsonNode schema, ObjectNode brief) {
        if (schema instanceof ObjectNode object && hasMembers(object)) {
            brief.set("properties", members(object, Set.of()).get("properties"));
        }
        if (schema.path("items") instanceof ObjectNode items) {
            brief.set("items", nested(items));
        }
        if (schema.path("additionalProperties") instanceof ObjectNode values) {
            brief.set("additionalProperties", nested(values));
        }
    }

    private static JsonNode nested(ObjectNode schema) {
        return schema.has("properties") ? members(schema, Set.of()) : member(schema);
    }
}
