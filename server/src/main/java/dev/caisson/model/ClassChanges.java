package dev.caisson.model;

import dev.caisson.json.Records;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.LongSupplier;

/// Changes of definitions, applied to the classes of a space: which classes there are afterwards,
/// with the numbers they keep, and a line for each change. Pure.
final class ClassChanges {
    private final SequencedMap<String, StoredClass> classes = new LinkedHashMap<>();
    private final List<PlanLine> lines = new ArrayList<>();
    private final List<DefinitionMistake> mistakes = new ArrayList<>();
    private final Map<String, String> renamed = new HashMap<>();
    private final LongSupplier numbers;

    private ClassChanges(List<StoredClass> before, LongSupplier numbers) {
        before.forEach(each -> classes.put(each.name(), each));
        this.numbers = numbers;
    }

    /// What comes of changes.
    ///
    /// @param classes afterwards, without those that every space has
    record Changed(
            List<StoredClass> classes, List<PlanLine> lines, List<DefinitionMistake> mistakes) {}

    /// @param numbers gives one for each new class and slot
    static Changed apply(List<StoredClass> before, List<ClassSpec> specs, LongSupplier numbers) {
        var changes = new ClassChanges(before, numbers);
        specs.forEach(changes::apply);
        changes.followNames();
        return new Changed(List.copyOf(changes.classes.values()), changes.lines, changes.mistakes);
    }

    private void wrong(ClassSpec spec, Optional<String> slot, String message) {
        mistakes.add(new DefinitionMistake(spec.name(), slot, message));
    }

    private void apply(ClassSpec spec) {
        if (SlotSpec.isSet(spec.delete())) {
            if (classes.remove(spec.name()) == null) {
                wrong(spec, Optional.empty(), "cannot be deleted, because it is not there");
            }
            lines.add(PlanLine.of(PlanLine.Act.DELETE_CLASS, spec.name()));
            return;
        }
        mistakes.addAll(DefinitionCheck.mistakes(spec));
        var before = takeBefore(spec);
        if (before.isEmpty()) {
            lines.add(PlanLine.of(PlanLine.Act.ADD_CLASS, spec.name()));
        } else {
            compare(before.get().spec(), spec);
        }
        classes.put(
                spec.name(),
                new StoredClass(
                        before.map(StoredClass::number).orElseGet(numbers::getAsLong),
                        spec,
                        slotNumbers(before, spec)));
    }

    private Optional<StoredClass> takeBefore(ClassSpec spec) {
        var oldName = spec.renamedFrom().filter(name -> !name.equals(spec.name()));
        if (oldName.isEmpty()) {
            return Optional.ofNullable(classes.get(spec.name()));
        }
        var old = Optional.ofNullable(classes.remove(oldName.get()));
        if (old.isEmpty() || classes.containsKey(spec.name())) {
            wrong(
                    spec,
                    Optional.empty(),
                    old.isEmpty()
                            ? DefinitionCheck.unknown(
                                    "renamed_from", oldName.get(), List.copyOf(classes.keySet()))
                            : "is the name of another class already");
        }
        renamed.put(oldName.get(), spec.name());
        lines.add(
                PlanLine.of(PlanLine.Act.RENAME_CLASS, spec.name())
                        .with(0, PlanLine.Result.NONE, Optional.of("was " + oldName.get())));
        return old;
    }

    private Map<String, Long> slotNumbers(Optional<StoredClass> before, ClassSpec spec) {
        var old = before.map(StoredClass::slotNumbers).orElse(Map.of());
        var given = new HashMap<String, Long>();
        for (var slot : spec.slotList()) {
            var number = old.get(slot.renamedFrom().orElse(slot.name()));
            if (number == null && slot.renamedFrom().isPresent()) {
                wrong(
                        spec,
                        Optional.of(slot.name()),
                        DefinitionCheck.unknown(
                                "renamed_from",
                                slot.renamedFrom().get(),
                                List.copyOf(old.keySet())));
            }
            given.put(slot.name(), number == null ? numbers.getAsLong() : number);
        }
        if (given.values().stream().distinct().count() < given.size()) {
            wrong(spec, Optional.empty(), "has two slots that were one until now");
        }
        return given;
    }

    private void compare(ClassSpec old, ClassSpec spec) {
        var name = spec.name();
        var count = lines.size();
        var kept = new ArrayList<String>();
        for (var slot : spec.slotList()) {
            var oldName = slot.renamedFrom().orElse(slot.name());
            kept.add(oldName);
            var before = old.slot(oldName);
            if (before.isEmpty()) {
                lines.add(PlanLine.of(PlanLine.Act.ADD_SLOT, name, slot.name()));
            } else if (!oldName.equals(slot.name())) {
                lines.add(
                        PlanLine.of(PlanLine.Act.RENAME_SLOT, name, slot.name())
                                .with(0, PlanLine.Result.NONE, Optional.of("was " + oldName)));
            } else if (!Records.tree(before.get()).equals(Records.tree(slot))) {
                lines.add(PlanLine.of(PlanLine.Act.CHANGE_SLOT, name, slot.name()));
            }
        }
        old.slotList().stream()
                .filter(slot -> !kept.contains(slot.name()))
                .forEach(slot ->
                        lines.add(PlanLine.of(PlanLine.Act.REMOVE_SLOT, name, slot.name())));
        if (lines.size() == count && !old.stored().equals(spec.stored())) {
            lines.add(PlanLine.of(PlanLine.Act.CHANGE_CLASS, name));
        }
    }

    /// Whoever refers to a class that was renamed goes on to refer to it.
    private void followNames() {
        if (!renamed.isEmpty()) {
            classes.replaceAll((_, each) ->
                    new StoredClass(
                            each.number(), each.spec().renaming(renamed), each.slotNumbers()));
        }
    }
}
