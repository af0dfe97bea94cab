package dev.caisson.json;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Joins the schemas of two results into one object schema.
final class EitherSchema {
    private static final String PROPERTIES = "properties";

    private EitherSchema() {}

    static ObjectNode of(ObjectNode one, ObjectNode other) {
        var both = Json.object().put("type", "object");
        var properties = both.putObject(PROPERTIES);
        Stream.of(one, other)
                .flatMap(schema -> properties(schema).properties().stream())
                .forEach(member -> properties.set(member.getKey(), member.getValue()));
        var required = both.putArray("required");
        shared(one, other).forEach(name -> properties.set(name, either(one, other, name)));
        shared(one, other).forEach(required::add);
        both.putArray("anyOf").add(branch(one, other)).add(branch(other, one));
        return both.put("additionalProperties", false);
    }

    private static Stream<String> shared(ObjectNode one, ObjectNode other) {
        return properties(one)
                .propertyStream()
                .map(member -> member.getKey())
                .filter(properties(other)::has);
    }

    /// A member that both have: of the types and the words of both. What else they say is in their
    /// branches.
    private static ObjectNode either(ObjectNode one, ObjectNode other, String name) {
        var first = (ObjectNode) Objects.requireNonNull(properties(one).get(name));
        var second = (ObjectNode) Objects.requireNonNull(properties(other).get(name));
        if (first.equals(second)) {
            return first;
        }
        var member = Json.object();
        if (first.has("description")) {
            member.set("description", Objects.requireNonNull(first.get("description")));
        }
        for (var keyword : List.of("type", "enum")) {
            if (first.has(keyword) && second.has(keyword)) {
                member.set(keyword, union(first.path(keyword), second.path(keyword)));
            }
        }
        return member;
    }

    private static JsonNode union(JsonNode one, JsonNode other) {
        var all = new LinkedHashSet<JsonNode>();
        Stream.of(one, other).flatMap(EitherSchema::items).forEach(all::add);
        return all.size() == 1 ? all.getFirst() : Json.array().addAll(all);
    }

    private static Stream<JsonNode> items(JsonNode node) {
        return node.isArray() ? node.valueStream() : Stream.of(node);
    }

    /// One of the two, within the whole.
    private static ObjectNode branch(ObjectNode one, ObjectNode other) {
        var branch = Json.object();
        var properties = branch.putObject(PROPERTIES);
        shared(one, other)
                .forEach(name ->
                        properties.set(name, Objects.requireNonNull(properties(one).get(name))));
        branch.set("required", Objects.requireNonNull(one.get("required")));
        return branch;
    }

    private static ObjectNode properties(ObjectNode schema) {
        return (ObjectNode) Objects.requireNonNull(schema.get(PROPERTIES));
    }
}
