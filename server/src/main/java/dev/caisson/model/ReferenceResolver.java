package dev.caisson.model;

import dev.caisson.json.Json;
import dev.caisson.store.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Resolver of the references of one transaction: from ids, idents and numbers of changes to ids of
/// entities that are there, and of the right class.
final class ReferenceResolver {
    /// @param type its class
    private record Target(String id, EntityClass type) {}

    private final Transaction handle;
    private final long space;
    private final ClassGraph graph;
    private final Map<String, Target> known = new HashMap<>();
    private final List<Violation> violations = new ArrayList<>();

    ReferenceResolver(
            Transaction handle, long space, ClassGraph graph, List<PreparedChange> changes) {
        this.handle = handle;
        this.space = space;
        this.graph = graph;
        changes.forEach(this::know);
    }

    List<Violation> violations() {
        return violations;
    }

    private void know(PreparedChange change) {
        switch (change) {
            case PreparedChange.NewEntity made -> {
                var target = new Target(made.id(), made.type());
                known.put("$" + made.number(), target);
                made.ident().ifPresent(ident -> known.put(ident, target));
            }
            case PreparedChange.NewVersion changed ->
                    known.put(
                            "$" + changed.number(),
                            new Target(changed.before().id(), changed.type()));
            case PreparedChange.Kept kept ->
                    known.put("$" + kept.number(), new Target(kept.before().id(), kept.type()));
            case PreparedChange.Removal _ -> {}
        }
    }

    /// A document whose references are ids.
    ObjectNode resolved(EntityClass type, ObjectNode document, int number) {
        var resolved = document.deepCopy();
        for (var slot : type.slots().values()) {
            var key = EntityDocument.key(slot);
            if (slot.type() == Datatype.REF && document.has(key)) {
                var ids =
                        EntityDocument.values(document, slot).stream()
                                .flatMap(value -> id(slot, value.stringValue(), number).stream())
                                .distinct()
                                .toList();
                resolved.set(
                        key,
                        slot.many() ? list(ids) : Json.tree(ids.stream().findFirst().orElse("")));
            }
        }
        return resolved;
    }

    private static JsonNode list(List<String> ids) {
        var list = Json.array();
        ids.forEach(list::add);
        return list;
    }

    private Optional<String> id(EffectiveSlot slot, String name, int number) {
        var target = Optional.ofNullable(known.get(name)).or(() -> stored(name));
        if (target.isEmpty()) {
            violations.add(
                    Violation.of(
                                    number,
                                    slot.name(),
                                    Violation.Kind.DANGLING_REF,
                                    "there is no such entity in the space")
                            .given(name));
            return Optional.empty();
        }
        var wanted = slot.target();
        if (wanted.isPresent() && !target.get().type().is(wanted.get())) {
            violations.add(
                    Violation.of(
                                    number,
                                    slot.name(),
                                    Violation.Kind.WRONG_REF_CLASS,
                                    "must refer to a %s, not to a %s"
                                            .formatted(wanted.get(), target.get().type().name()))
                            .given(name));
        }
        return target.map(Target::id);
    }

    private Optional<Target> stored(String name) {
        return EntityFinder.find(handle, space, name)
                .flatMap(entity ->
                        graph.find(entity.type()).map(type -> new Target(entity.id(), type)));
    }
}
