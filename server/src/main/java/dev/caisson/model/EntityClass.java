package dev.caisson.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;

/// Class with all that it inherits.
///
/// @param number by which entities name it
/// @param ancestors nearest first, depth first
/// @param slots by name, inherited ones first
public record EntityClass(
        long number,
        ClassSpec spec,
        List<String> ancestors,
        SequencedMap<String, EffectiveSlot> slots,
        Optional<String> title,
        Optional<String> body,
        Map<String, String> sections,
        Optional<CodecFormat> codec) {
    /// Slots that label an entity where its class names none.
    private static final List<String> USUAL_TITLES = List.of("title", "name", "label", "summary");

    public EntityClass {
        ancestors = List.copyOf(ancestors);
        slots = new LinkedHashMap<>(slots);
        sections = Map.copyOf(sections);
    }

    public String name() {
        return spec.name();
    }

    public boolean isAbstract() {
        return SlotSpec.isSet(spec.isAbstract());
    }

    public boolean isRetired() {
        return SlotSpec.isSet(spec.retired());
    }

    boolean requiresReason() {
        return SlotSpec.isSet(spec.requiresReason());
    }

    public Optional<EffectiveSlot> slot(String slotName) {
        return Optional.ofNullable(slots.get(slotName));
    }

    Optional<EffectiveSlot> slot(long slotNumber) {
        return slots.values().stream().filter(slot -> slot.number() == slotNumber).findFirst();
    }

    /// The slot whose value labels an entity.
    Optional<EffectiveSlot> titleSlot() {
        return title.flatMap(this::slot)
                .or(() ->
                        Stream.concat(
                                        USUAL_TITLES.stream().flatMap(name -> slot(name).stream()),
                                        slots.values().stream().filter(EffectiveSlot::required))
                                .filter(slot -> slot.type() == Datatype.STRING && !slot.many())
                                .findFirst());
    }

    /// Whether entities of it are entities of another.
    public boolean is(String other) {
        return name().equals(other) || ancestors.contains(other);
    }
}
