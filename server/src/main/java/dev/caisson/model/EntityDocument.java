package dev.caisson.model;

import dev.caisson.json.Json;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Document of an entity: a JSON object from numbers of slots to values in their canonical form.
final class EntityDocument {
    static final int LABEL_MAX = 200;

    private EntityDocument() {}

    static String key(EffectiveSlot slot) {
        return Long.toString(slot.number());
    }

    /// By the names that slots have now, in their order.
    static ObjectNode attributes(EntityClass type, ObjectNode document) {
        var attributes = Json.object();
        type.slots()
                .forEach((name, slot) ->
                        value(document, slot).ifPresent(value -> attributes.set(name, value)));
        return attributes;
    }

    static Optional<JsonNode> value(ObjectNode document, EffectiveSlot slot) {
        return Optional.ofNullable(document.get(key(slot)));
    }

    /// The values of a slot, one by one.
    static List<JsonNode> values(ObjectNode document, EffectiveSlot slot) {
        return value(document, slot)
                .map(value -> slot.many() && value.isArray() ? items(value) : List.of(value))
                .orElse(List.of());
    }

    private static List<JsonNode> items(JsonNode list) {
        return list.valueStream().toList();
    }

    /// The first line of what its class says labels an entity, else its ident or its id.
    static String label(EntityClass type, ObjectNode document, Optional<String> ident, String id) {
        return type.titleSlot()
                .flatMap(slot -> value(document, slot))
                .flatMap(text -> text.asString("").lines().findFirst())
                .filter(line -> !line.isBlank())
                .map(EntityDocument::cut)
                .or(() -> ident)
                .orElse(id);
    }

    private static String cut(String line) {
        if (line.length() <= LABEL_MAX) {
            return line;
        }
        var end = Character.isHighSurrogate(line.charAt(LABEL_MAX - 1)) ? 1 : 0;
        return line.substring(0, LABEL_MAX - end);
    }
}
