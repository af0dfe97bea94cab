package dev.caisson.model;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Slot as a class has it, with all that it inherits. Its number is that of the slot where it was
/// declared first, and is the key of its values in documents: names are free to change.
///
/// @param from the class that declared it first
/// @param target the class that a reference must be of
/// @param spec the nearest declaration, which says what the rules do not
public record EffectiveSlot(
        long number,
        String from,
        SlotSpec spec,
        boolean required,
        boolean many,
        Optional<String> target,
        List<SlotRule> rules) {
    public EffectiveSlot {
        rules = List.copyOf(rules);
    }

    static EffectiveSlot declared(long number, String from, SlotSpec spec) {
        return new EffectiveSlot(
                number,
                from,
                spec,
                SlotSpec.isSet(spec.required()),
                SlotSpec.isSet(spec.many()),
                spec.target(),
                SlotRule.of(spec));
    }

    public String name() {
        return spec.name();
    }

    public Datatype type() {
        return spec.type();
    }

    boolean isUnique() {
        return SlotSpec.isSet(spec.unique());
    }

    int itemsMin() {
        return spec.minItems().orElse(required ? 1 : 0);
    }

    int itemsMax(int limit) {
        return many ? Math.min(limit, spec.maxItems().orElse(limit)) : 1;
    }

    OnDelete onDelete() {
        return spec.onDelete().orElse(OnDelete.REFUSE);
    }

    /// How many values it has, such as `1` or `0..*`.
    public String cardinality() {
        var least = required ? Math.max(1, itemsMin()) : itemsMin();
        if (!many) {
            return least == 1 ? "1" : "0..1";
        }
        return least + ".." + spec.maxItems().map(String::valueOf).orElse("*");
    }

    /// This slot with what another declaration of it adds. Nothing that held before is lifted.
    EffectiveSlot narrowedBy(EffectiveSlot other, Optional<String> narrowTarget) {
        return new EffectiveSlot(
                number,
                from,
                other.spec.within(spec),
                required || other.required,
                many && other.many,
                narrowTarget,
                Stream.concat(rules.stream(), other.rules.stream()).toList());
    }

    /// Whether every value that was right under another definition is right under this one, and is
    /// indexed alike.
    boolean isNoStricterThan(EffectiveSlot old) {
        return type() == old.type()
                && many == old.many
                && (!required || old.required)
                && itemsMin() <= old.itemsMin()
                && itemsMax(Integer.MAX_VALUE) >= old.itemsMax(Integer.MAX_VALUE)
                && (!SlotSpec.isSet(spec.distinct()) || SlotSpec.isSet(old.spec.distinct()))
                && isUnique() == old.isUnique()
                && spec.isIndexed() == old.spec.isIndexed()
                && spec.isSearched() == old.spec.isSearched()
                && SlotSpec.isSet(spec.supersedes()) == SlotSpec.isSet(old.spec.supersedes())
                && (target.isEmpty() || target.equals(old.target))
                && rules.stream().allMatch(rule -> old.rules.stream().anyMatch(rule::follows));
    }
}
