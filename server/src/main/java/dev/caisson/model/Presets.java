package dev.caisson.model;

import dev.caisson.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Defaults of slots: a literal, or one of two that are computed when an entity is created.
final class Presets {
    static final String EXPECTED =
            "default {\"$\":\"now\"} belongs to date and datetime, {\"$\":\"caller\"} to string, both to no list";

    private static final String COMPUTED = "$";

    private Presets() {}

    static boolean isComputed(JsonNode preset) {
        return preset.isObject() && preset.size() == 1 && preset.has(COMPUTED);
    }

    static boolean fits(SlotSpec slot) {
        var word = slot.preset().map(preset -> preset.path(COMPUTED).asString("")).orElse("");
        return !SlotSpec.isSet(slot.many())
                && switch (slot.type()) {
                    case DATE, DATETIME -> word.equals("now");
                    case STRING -> word.equals("caller");
                    case TEXT, INTEGER, NUMBER, BOOLEAN, UUID, URI, ENUM, REF, FILE, JSON -> false;
                };
    }

    /// The values of a literal.
    static List<JsonNode> literals(SlotSpec slot) {
        return slot.preset()
                .map(preset ->
                        SlotSpec.isSet(slot.many()) && preset.isArray()
                                ? preset.valueStream().toList()
                                : List.of(preset))
                .orElse(List.of());
    }

    /// What an entity gets that has no value of its own.
    static Optional<JsonNode> value(EffectiveSlot slot, Instant now, String caller) {
        var preset = slot.spec().preset();
        if (preset.filter(Presets::isComputed).isEmpty()) {
            return preset;
        }
        return Optional.of(
                switch (slot.type()) {
                    case DATE -> Json.tree(ValueForm.text(now).substring(0, 10));
                    case DATETIME -> Json.tree(ValueForm.text(now));
                    case STRING, TEXT, INTEGER, NUMBER, BOOLEAN, UUID, URI, ENUM, REF, FILE, JSON ->
                            Json.tree(caller);
                });
    }
}
