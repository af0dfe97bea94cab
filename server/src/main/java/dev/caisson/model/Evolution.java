package dev.caisson.model;

import dev.caisson.store.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Effect of changed classes on the entities there are: which must be written or indexed anew, and
/// which break a new rule. Only looks; what is to be written is in its answer.
final class Evolution {
    private static final int BATCH = 500;

    /// Entity that is to be written or indexed anew.
    ///
    /// @param document equal to the old one when only its indexes change
    record Moved(StoredEntity before, EntityClass old, EntityClass fresh, ObjectNode document) {}

    /// What becomes of the entities of one class.
    ///
    /// @param why the first that stands in the way, or breaks a rule
    record ClassEffect(String type, long instances, PlanLine.Result result, Optional<String> why) {}

    private final Transaction handle;
    private final long space;
    private final ClassGraph before;
    private final ClassGraph after;
    private final ModelLimits limits;
    private final Set<String> dropping = new HashSet<>();
    private final Set<String> forgiving = new HashSet<>();
    private final List<Moved> moved = new ArrayList<>();
    private final List<ClassEffect> effects = new ArrayList<>();
    private final Map<IndexEntries.Key, String> unique = new HashMap<>();
    private long looked;

    private Evolution(
            Transaction handle,
            long space,
            ClassGraph before,
            ClassGraph after,
            ModelLimits limits,
            List<ClassSpec> specs) {
        this.handle = handle;
        this.space = space;
        this.before = before;
        this.after = after;
        this.limits = limits;
        for (var spec : specs) {
            if (SlotSpec.isSet(spec.dropValues())) {
                dropping.add(spec.name());
            }
            if (spec.enforce().filter(ClassSpec.Enforcement.NEW::equals).isPresent()) {
                forgiving.add(spec.name());
            }
        }
    }

    /// @param specs the changes that were asked for
    static Evolution of(
            Transaction handle,
            long space,
            ClassGraph before,
            ClassGraph after,
            ModelLimits limits,
            List<ClassSpec> specs) {
        var evolution = new Evolution(handle, space, before, after, limits, specs);
        before.classes().forEach(evolution::follow);
        return evolution;
    }

    List<Moved> moved() {
        return moved;
    }

    /// Those that stand in the way.
    List<DefinitionMistake> refused() {
        return effects.stream()
                .filter(effect -> effect.result() == PlanLine.Result.REFUSED)
                .map(effect ->
                        new DefinitionMistake(
                                effect.type(), Optional.empty(), effect.why().orElse("")))
                .toList();
    }

    /// A line of the plan with what it does: the worst that becomes of a class it concerns.
    PlanLine told(PlanLine line) {
        var concerned =
                effects.stream().filter(effect -> concerns(line.type(), effect.type())).toList();
        var worst = concerned.stream().max((one, other) -> one.result().compareTo(other.result()));
        var instances = concerned.stream().mapToLong(ClassEffect::instances).sum();
        return worst.map(
                        effect -> line.with(instances, effect.result(), effect.why().or(line::why)))
                .orElse(line);
    }

    private boolean concerns(String changed, String type) {
        return type.equals(changed)
                || after.find(type).filter(each -> each.is(changed)).isPresent()
                || before.find(type).filter(each -> each.is(changed)).isPresent();
    }

    private void follow(EntityClass old) {
        var fresh = after.find(old.number());
        if (fresh.isPresent() && !needsLook(old, fresh.get())) {
            return;
        }
        var instances = EntityRows.count(handle, space, old.number());
        if (instances == 0) {
            return;
        }
        looked += instances;
        if (fresh.isEmpty()) {
            refuse(
                    old.name(),
                    instances,
                    "has %d entities; delete them first".formatted(instances));
        } else if (fresh.get().isAbstract()) {
            refuse(
                    fresh.get().name(),
                    instances,
                    "has %d entities and cannot be abstract".formatted(instances));
        } else if (looked > limits.rewriteMax()) {
            refuse(
                    fresh.get().name(),
                    instances,
                    "the change looks at %d entities, at most %d are allowed; add a slot and leave the old one"
                            .formatted(looked, limits.rewriteMax()));
        } else {
            lookAt(old, fresh.get(), instances);
        }
    }

    private void refuse(String type, long instances, String why) {
        effects.add(new ClassEffect(type, instances, PlanLine.Result.REFUSED, Optional.of(why)));
    }

    /// Whether entities that were right may be wrong now, or are to be indexed otherwise.
    private static boolean needsLook(EntityClass old, EntityClass fresh) {
        if (fresh.isAbstract() && !old.isAbstract()) {
            return true;
        }
        var sameTitle =
                old.titleSlot()
                        .map(EffectiveSlot::number)
                        .equals(fresh.titleSlot().map(EffectiveSlot::number));
        return !sameTitle
                || old.slots().values().stream()
                        .anyMatch(slot ->
                                fresh.slot(slot.number())
                                        .filter(each -> each.isNoStricterThan(slot))
                                        .isEmpty())
                || fresh.slots().values().stream()
                        .anyMatch(slot -> slot.required() && old.slot(slot.number()).isEmpty());
    }

    private boolean isMarked(Set<String> names, EntityClass fresh) {
        return names.contains(fresh.name()) || fresh.ancestors().stream().anyMatch(names::contains);
    }

    private void lookAt(EntityClass old, EntityClass fresh, long instances) {
        var problems = new ArrayList<String>();
        var rewritten = 0;
        var last = Long.MAX_VALUE;
        for (var page = page(old, last); !page.isEmpty(); page = page(old, last)) {
            for (var entity : page) {
                var problem = problem(old, fresh, entity);
                problem.ifPresent(problems::add);
                rewritten += move(old, fresh, entity, problem.isPresent()) ? 1 : 0;
            }
            last = page.getLast().sequence();
        }
        var forgiven = isMarked(forgiving, fresh);
        var result =
                problems.isEmpty()
                        ? rewritten > 0 ? PlanLine.Result.REWRITE : PlanLine.Result.NONE
                        : forgiven ? PlanLine.Result.GRANDFATHERED : PlanLine.Result.REFUSED;
        effects.add(
                new ClassEffect(
                        fresh.name(),
                        instances,
                        result,
                        problems.stream()
                                .findFirst()
                                .map(first ->
                                        "%d of %d entities: %s"
                                                .formatted(problems.size(), instances, first))));
    }

    private List<StoredEntity> page(EntityClass old, long last) {
        return EntityRows.page(handle, space, old.number(), last, BATCH);
    }

    /// What is wrong with an entity under the new definition.
    private Optional<String> problem(EntityClass old, EntityClass fresh, StoredEntity entity) {
        if (!isMarked(dropping, fresh)) {
            for (var slot : old.slots().values()) {
                if (fresh.slot(slot.number()).isEmpty()
                        && EntityDocument.value(entity.document(), slot).isPresent()) {
                    return Optional.of(
                            "%s has a value of %s, which is to be removed; say drop_values if it may go"
                                    .formatted(entity.id(), slot.name()));
                }
            }
        }
        var checked =
                new AttributeCheck(fresh, limits, 0).check(filled(old, fresh, entity.document()));
        if (!checked.violations().isEmpty()) {
            var first = checked.violations().getFirst();
            return Optional.of(
                    "%s, %s %s".formatted(entity.id(), first.slot().orElse(""), first.message()));
        }
        return wrongTarget(fresh, entity).or(() -> repeated(fresh, entity));
    }

    /// A document with the defaults of slots that are required now and were not there.
    private static ObjectNode filled(EntityClass old, EntityClass fresh, ObjectNode document) {
        var filled = document.deepCopy();
        for (var slot : fresh.slots().values()) {
            var preset = slot.spec().preset().filter(value -> !Presets.isComputed(value));
            if (slot.required()
                    && !filled.has(EntityDocument.key(slot))
                    && old.slot(slot.number()).filter(EffectiveSlot::required).isEmpty()) {
                preset.ifPresent(value -> filled.set(EntityDocument.key(slot), value));
            }
        }
        return filled;
    }

    private Optional<String> wrongTarget(EntityClass fresh, StoredEntity entity) {
        for (var slot : fresh.slots().values()) {
            if (slot.type() != Datatype.REF || slot.target().isEmpty()) {
                continue;
            }
            for (var value : EntityDocument.values(entity.document(), slot)) {
                var target =
                        EntityRows.byId(handle, space, value.stringValue())
                                .flatMap(found -> after.find(found.type()));
                if (target.filter(type -> type.is(slot.target().get())).isEmpty()) {
                    return Optional.of(
                            "%s refers by %s to an entity that is no %s"
                                    .formatted(entity.id(), slot.name(), slot.target().get()));
                }
            }
        }
        return Optional.empty();
    }

    private Optional<String> repeated(EntityClass fresh, StoredEntity entity) {
        for (var key : IndexEntries.of(fresh, entity).keys()) {
            var other = key.slot() < 0 ? unique.putIfAbsent(key, entity.id()) : null;
            if (other != null) {
                return Optional.of(
                        "%s and %s have the same value of %s, which is to be unique"
                                .formatted(
                                        other,
                                        entity.id(),
                                        fresh.slot(-key.slot())
                                                .map(EffectiveSlot::name)
                                                .orElse("a slot")));
            }
        }
        return Optional.empty();
    }

    /// Values of removed slots are left out, also where a rule is broken and forgiven.
    ///
    /// @return whether its document changes
    private boolean move(EntityClass old, EntityClass fresh, StoredEntity entity, boolean isWrong) {
        var filled = filled(old, fresh, entity.document());
        ObjectNode document;
        if (isWrong) {
            document = filled;
            old.slots().values().stream()
                    .filter(slot -> fresh.slot(slot.number()).isEmpty())
                    .forEach(slot -> document.remove(EntityDocument.key(slot)));
        } else {
            document = new AttributeCheck(fresh, limits, 0).check(filled).document();
        }
        moved.add(new Moved(entity, old, fresh, document));
        return !document.equals(entity.document());
    }

    /// Writes what moved.
    void write(ModelTransaction transaction) {
        for (var each : moved) {
            var label =
                    EntityDocument.label(
                            each.fresh(),
                            each.document(),
                            each.before().ident(),
                            each.before().id());
            var entity = each.before();
            if (!each.document().equals(entity.document()) || !label.equals(entity.label())) {
                entity = entity.with(label, transaction, each.document());
                HistoryRows.insert(handle, space, each.before(), transaction, false);
                EntityRows.replace(handle, space, entity);
            }
            IndexRows.replace(
                    handle,
                    space,
                    entity.sequence(),
                    IndexEntries.of(each.old(), each.before()),
                    IndexEntries.of(each.fresh(), entity));
        }
    }
}
