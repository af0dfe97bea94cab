package dev.caisson.upstream;

import dev.caisson.call.Digests;
import dev.caisson.json.Json;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Hash of the definition of a tool: SHA-256 of its JSON as it was received, with the members of
/// each object in the order of their names and without `_meta` and `icons`, in hexadecimal digits.
final class DefinitionHash {
    private DefinitionHash() {}

    static String of(ObjectNode definition) {
        var counted = definition.deepCopy();
        counted.remove("_meta");
        counted.remove("icons");
        return Digests.sha256Hex(Json.bytes(sorted(counted)));
    }

    private static JsonNode sorted(JsonNode node) {
        if (node.isObject()) {
            var members = new TreeMap<String, JsonNode>();
            node.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
            var object = Json.object();
            members.forEach((name, value) -> object.set(name, sorted(value)));
            return object;
        }
        if (node.isArray()) {
            var array = Json.array();
            node.forEach(item -> array.add(sorted(item)));
            return array;
        }
        return node;
    }
}
