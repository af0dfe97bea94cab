package dev.caisson.model;

import dev.caisson.call.NearName;
import dev.caisson.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Check of the values of one entity against its class: everything that can be said without looking
/// at another entity. It collects all that is wrong.
final class AttributeCheck {
    private final EntityClass type;
    private final ModelLimits limits;
    private final int change;
    private final List<Violation> violations = new ArrayList<>();

    /// @param change which change of its transaction it is, from 1
    AttributeCheck(EntityClass type, ModelLimits limits, int change) {
        this.type = type;
        this.limits = limits;
        this.change = change;
    }

    /// A document and what is wrong with it.
    record Checked(ObjectNode document, List<Violation> violations) {}

    Checked create(ObjectNode attributes, Instant now, String caller) {
        var document = Json.object();
        type.slots()
                .values()
                .forEach(slot ->
                        Presets.value(slot, now, caller)
                                .ifPresent(value -> document.set(EntityDocument.key(slot), value)));
        return update(document, attributes, false);
    }

    Checked update(ObjectNode before, ObjectNode attributes, boolean additive) {
        var document = before.deepCopy();
        for (var given : attributes.properties()) {
            var name =
                    given.getKey().startsWith(":") ? given.getKey().substring(1) : given.getKey();
            type.slot(name)
                    .ifPresentOrElse(
                            slot -> set(document, slot, given.getValue(), additive),
                            () -> unknown(name));
        }
        return check(document);
    }

    private void unknown(String name) {
        violations.add(
                Violation.of(
                                change,
                                name,
                                Violation.Kind.UNKNOWN_SLOT,
                                "%s has no such slot".formatted(type.name()))
                        .near(NearName.of(name, List.copyOf(type.slots().sequencedKeySet()))));
    }

    private void set(ObjectNode document, EffectiveSlot slot, JsonNode value, boolean additive) {
        var key = EntityDocument.key(slot);
        if (value.isNull()) {
            document.remove(key);
        } else if (additive && slot.many() && value.isArray() && document.has(key)) {
            var union = Json.array();
            document.path(key).forEach(union::add);
            value.valueStream()
                    .filter(item -> union.valueStream().noneMatch(item::equals))
                    .toList()
                    .forEach(union::add);
            document.set(key, union);
        } else {
            document.set(key, value);
        }
    }

    /// Checks a whole document, and brings its values into their canonical form.
    Checked check(ObjectNode document) {
        var canonical = Json.object();
        for (var slot : type.slots().values()) {
            var key = EntityDocument.key(slot);
            var value = document.get(key);
            if (value != null) {
                value(slot, value).ifPresent(right -> canonical.set(key, right));
            }
            if (!canonical.has(key) && slot.required() && value == null) {
                add(slot, Violation.Kind.MISSING_REQUIRED, "is required");
            }
        }
        var bytes = Json.text(canonical).getBytes(StandardCharsets.UTF_8).length;
        if (bytes > limits.entityBytesMax()) {
            violations.add(
                    Violation.of(
                            change,
                            Violation.Kind.CONSTRAINT,
                            "the entity has %d bytes, at most %d are allowed; keep long content in a file and refer to it"
                                    .formatted(bytes, limits.entityBytesMax())));
        }
        return new Checked(canonical, List.copyOf(violations));
    }

    private void add(EffectiveSlot slot, Violation.Kind kind, String message) {
        violations.add(Violation.of(change, slot.name(), kind, message));
    }

    /// @return empty when there is none, or a wrong one
    private Optional<JsonNode> value(EffectiveSlot slot, JsonNode value) {
        if (!slot.many()) {
            return one(slot, value);
        }
        if (!value.isArray()) {
            add(
                    slot,
                    Violation.Kind.CARDINALITY_VIOLATION,
                    "must be a list (%s)".formatted(slot.cardinality()));
            return Optional.empty();
        }
        var list = Json.array();
        value.forEach(item -> one(slot, item).ifPresent(list::add));
        var most = slot.itemsMax(limits.itemsMax());
        if (value.size() > most || value.size() < slot.itemsMin()) {
            add(
                    slot,
                    value.isEmpty() && slot.required()
                            ? Violation.Kind.MISSING_REQUIRED
                            : Violation.Kind.CARDINALITY_VIOLATION,
                    "must have %d to %d values, has %d"
                            .formatted(slot.itemsMin(), most, value.size()));
        }
        if (SlotSpec.isSet(slot.spec().distinct()) && isRepeated(list)) {
            add(slot, Violation.Kind.CONSTRAINT, "must have each value once");
        }
        return list.isEmpty() ? Optional.empty() : Optional.of(list);
    }

    private static boolean isRepeated(JsonNode list) {
        var seen = new HashSet<JsonNode>();
        return list.valueStream().anyMatch(item -> !seen.add(item));
    }

    private Optional<JsonNode> one(EffectiveSlot slot, JsonNode value) {
        var form = ValueForm.of(slot.type(), value);
        if (form.isEmpty()) {
            violations.add(
                    Violation.of(
                                    change,
                                    slot.name(),
                                    Violation.Kind.INVALID_TYPE,
                                    "must be " + ValueForm.expected(slot.type()))
                            .given(shown(value)));
        }
        form.stream()
                .flatMap(right ->
                        slot.rules().stream().flatMap(rule -> rule.complaint(right).stream()))
                .forEach(why ->
                        violations.add(
                                Violation.of(change, slot.name(), Violation.Kind.CONSTRAINT, why)
                                        .given(shown(value))));
        return form;
    }

    private static String shown(JsonNode value) {
        return Json.isWritable(value) ? Json.text(value) : "a text with half a character";
    }
}
