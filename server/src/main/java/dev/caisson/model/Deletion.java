package dev.caisson.model;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.store.Transaction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import tools.jackson.databind.node.ObjectNode;

/// Deletion of entities with all that follows from references to them: what else is deleted, what
/// loses a reference, and what stands in the way. Only looks.
final class Deletion {
    /// How many of those in the way are told.
    static final int TOLD_MAX = 20;

    /// Reference that stands in the way.
    record Blocking(String source, String label, String slot, String target) {}

    /// Entity that loses references.
    record Unlinked(StoredEntity before, EntityClass type, ObjectNode document) {}

    private final Transaction handle;
    private final long space;
    private final ClassGraph graph;
    private final ModelLimits limits;
    private final SequencedMap<Long, StoredEntity> removed = new LinkedHashMap<>();
    private final SequencedMap<Long, Unlinked> unlinked = new LinkedHashMap<>();
    private final List<Blocking> blocking = new ArrayList<>();
    private final Deque<PreparedChange.Removal> open = new ArrayDeque<>();

    private Deletion(Transaction handle, long space, ClassGraph graph, ModelLimits limits) {
        this.handle = handle;
        this.space = space;
        this.graph = graph;
        this.limits = limits;
    }

    static Deletion of(
            Transaction handle,
            long space,
            ClassGraph graph,
            ModelLimits limits,
            List<PreparedChange.Removal> removals) {
        var deletion = new Deletion(handle, space, graph, limits);
        removals.forEach(deletion::remove);
        while (!deletion.open.isEmpty()) {
            deletion.follow(deletion.open.removeFirst());
        }
        deletion.removed.keySet().forEach(deletion.unlinked::remove);
        return deletion;
    }

    List<StoredEntity> removed() {
        return List.copyOf(removed.values());
    }

    List<Unlinked> unlinked() {
        return List.copyOf(unlinked.values());
    }

    List<Blocking> blocking() {
        return blocking;
    }

    private void remove(PreparedChange.Removal removal) {
        if (removed.putIfAbsent(removal.before().sequence(), removal.before()) == null) {
            open.add(removal);
        }
        requireCount();
    }

    private void requireCount() {
        if (removed.size() + unlinked.size() > limits.cascadeMax()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "The deletion touches more than %d entities. Delete fewer at a time."
                            .formatted(limits.cascadeMax()));
        }
    }

    private void follow(PreparedChange.Removal removal) {
        var target = removal.before();
        for (var inbound : IndexRows.inbound(handle, space, target.id(), limits.cascadeMax() + 1)) {
            if (!removed.containsKey(inbound.source())) {
                var source = source(inbound.source());
                var type = graph.find(source.type()).orElseThrow();
                follow(removal, source, type, type.slot(inbound.slot()).orElseThrow());
            }
        }
    }

    /// As it will be after what was found so far.
    private StoredEntity source(long sequence) {
        return EntityRows.bySequence(handle, space, sequence).orElseThrow();
    }

    private void follow(
            PreparedChange.Removal removal,
            StoredEntity source,
            EntityClass type,
            EffectiveSlot slot) {
        switch (removal.inbound()) {
            case BY_SLOT -> {
                switch (slot.onDelete()) {
                    case REFUSE -> block(source, slot, removal.before());
                    case UNLINK -> unlink(source, type, slot, removal.before());
                    case CASCADE -> cascade(removal, source, type);
                }
            }
            case UNLINK -> unlink(source, type, slot, removal.before());
            case CASCADE -> cascade(removal, source, type);
        }
    }

    private void block(StoredEntity source, EffectiveSlot slot, StoredEntity target) {
        blocking.add(new Blocking(source.id(), source.label(), slot.name(), target.id()));
    }

    private void cascade(PreparedChange.Removal removal, StoredEntity source, EntityClass type) {
        remove(new PreparedChange.Removal(removal.number(), type, source, removal.inbound()));
    }

    private void unlink(
            StoredEntity source, EntityClass type, EffectiveSlot slot, StoredEntity target) {
        var before =
                unlinked.getOrDefault(
                        source.sequence(), new Unlinked(source, type, source.document()));
        var document = before.document().deepCopy();
        var left =
                EntityDocument.values(document, slot).stream()
                        .filter(value -> !value.stringValue().equals(target.id()))
                        .toList();
        var key = EntityDocument.key(slot);
        if (left.isEmpty()) {
            document.remove(key);
        } else {
            var list = Json.array();
            left.forEach(list::add);
            document.set(key, list);
        }
        if (left.size() < slot.itemsMin()) {
            block(source, slot, target);
        }
        unlinked.put(source.sequence(), new Unlinked(source, type, document));
        requireCount();
    }

    /// What to throw when something stands in the way.
    Refusal refusal() {
        return new Refusal(
                Reason.INVALID_ARGUMENT,
                "%d references stand in the way, the first from %s (%s, slot %s). Delete or change what refers to it first, or say inbound: unlink or cascade."
                        .formatted(
                                blocking.size(),
                                blocking.getFirst().source(),
                                blocking.getFirst().label(),
                                blocking.getFirst().slot()),
                Map.of(
                        "inbound_total",
                        blocking.size(),
                        "inbound",
                        blocking.stream()
                                .limit(TOLD_MAX)
                                .map(each ->
                                        Map.of(
                                                "entity",
                                                each.source(),
                                                "label",
                                                each.label(),
                                                "slot",
                                                each.slot(),
                                                "target",
                                                each.target()))
                                .toList()));
    }
}
