package dev.caisson.model;

import dev.caisson.call.NearName;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/// All classes of a space at one revision. Never changes.
public final class ClassGraph {
    private final long revision;
    private final SequencedMap<String, EntityClass> byName;

    /// @param byName in the order in which they are told
    ClassGraph(long revision, SequencedMap<String, EntityClass> byName) {
        this.revision = revision;
        this.byName = new LinkedHashMap<>(byName);
    }

    public long revision() {
        return revision;
    }

    public List<EntityClass> classes() {
        return List.copyOf(byName.values());
    }

    public Optional<EntityClass> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /// @throws Refusal INVALID_ARGUMENT when there is no such class, with a near name
    public EntityClass get(String name) {
        return find(name)
                .orElseThrow(() -> {
                    var near = NearName.of(name, List.copyOf(byName.keySet()));
                    return new Refusal(
                            Reason.INVALID_ARGUMENT,
                            "There is no class of this name in the space."
                                    + near.map(" Do you mean %s?"::formatted).orElse(""),
                            near.<Map<String, Object>>map(each -> Map.of("near", List.of(each)))
                                    .orElse(Map.of()));
                });
    }

    Optional<EntityClass> find(long number) {
        return byName.values().stream().filter(each -> each.number() == number).findFirst();
    }

    /// Itself and all below it.
    public List<EntityClass> within(String name) {
        return byName.values().stream().filter(each -> each.is(name)).toList();
    }

    /// Slots of other classes that refer to a class and show themselves there, by their name there.
    Map<String, EffectiveSlot> inverses(EntityClass target) {
        var inverses = new LinkedHashMap<String, EffectiveSlot>();
        for (var source : byName.values()) {
            for (var slot : source.slots().values()) {
                if (slot.target().filter(target::is).isPresent()) {
                    slot.spec().inverse().ifPresent(name -> inverses.putIfAbsent(name, slot));
                }
            }
        }
        return inverses;
    }
}
