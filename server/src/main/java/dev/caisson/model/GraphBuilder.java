package dev.caisson.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;

/// Builder of a class graph: resolves parents, inherits and narrows slots, and collects all that is
/// wrong. The effective slots of a class do not depend on the order of definition.
final class GraphBuilder {
    static final int DEPTH_MAX = 16;

    private static final String TOO_DEEP =
            "is in a line of more than %d generations".formatted(DEPTH_MAX);

    private final SequencedMap<String, StoredClass> stored = new LinkedHashMap<>();
    private final SequencedMap<String, EntityClass> built = new LinkedHashMap<>();
    private final List<DefinitionMistake> mistakes = new ArrayList<>();
    private final Map<String, Integer> depths = new HashMap<>();
    private final int slotsMax;

    private GraphBuilder(List<StoredClass> classes, int slotsMax) {
        this.slotsMax = slotsMax;
        classes.stream()
                .sorted((one, other) -> one.name().compareTo(other.name()))
                .forEach(each -> stored.put(each.name(), each));
    }

    /// A graph and what is wrong with it, in which case it is not to be used.
    record Built(ClassGraph graph, List<DefinitionMistake> mistakes) {
        ClassGraph orThrow() {
            if (!mistakes.isEmpty()) {
                throw DefinitionMistake.refusal(mistakes);
            }
            return graph;
        }
    }

    /// @param classes with those that every space has
    static Built build(long revision, List<StoredClass> classes, int slotsMax) {
        var builder = new GraphBuilder(classes, slotsMax);
        builder.stored.keySet().forEach(name -> builder.build(name, List.of()));
        builder.checkWhole();
        return new Built(new ClassGraph(revision, builder.built), List.copyOf(builder.mistakes));
    }

    private void add(String type, Optional<String> slot, String message) {
        mistakes.add(new DefinitionMistake(type, slot, message));
    }

    /// @param below the classes that need it, for a circle
    private Optional<EntityClass> build(String name, List<String> below) {
        var done = built.get(name);
        if (done != null) {
            return Optional.of(done);
        }
        var own = stored.get(name);
        if (own == null) {
            add(
                    below.getLast(),
                    Optional.empty(),
                    DefinitionCheck.unknown("parent", name, List.copyOf(stored.keySet())));
            return Optional.empty();
        }
        if (below.contains(name) || below.size() >= DEPTH_MAX) {
            add(name, Optional.empty(), below.contains(name) ? "is its own ancestor" : TOO_DEEP);
            return Optional.empty();
        }
        var chain = new ArrayList<>(below);
        chain.add(name);
        var parents = new ArrayList<EntityClass>();
        for (var parent : new LinkedHashSet<>(own.spec().parentList())) {
            build(parent, chain).ifPresent(parents::add);
        }
        var depth =
                1
                        + parents.stream()
                                .mapToInt(each -> depths.getOrDefault(each.name(), 0))
                                .max()
                                .orElse(0);
        depths.put(name, depth);
        if (depth > DEPTH_MAX) {
            add(name, Optional.empty(), TOO_DEEP);
        }
        var whole = inherit(own, parents);
        built.put(name, whole);
        return Optional.of(whole);
    }

    private EntityClass inherit(StoredClass own, List<EntityClass> parents) {
        var ancestors = new LinkedHashSet<String>();
        var slots = new LinkedHashMap<String, EffectiveSlot>();
        for (var parent : parents) {
            ancestors.add(parent.name());
            ancestors.addAll(parent.ancestors());
            parent.slots().values().forEach(slot -> join(own.name(), slots, slot));
        }
        for (var spec : own.spec().slotList()) {
            declare(own, slots, spec);
        }
        if (slots.size() > slotsMax) {
            add(
                    own.name(),
                    Optional.empty(),
                    "has %d slots with those it inherits, at most %d are allowed"
                            .formatted(slots.size(), slotsMax));
        }
        return new EntityClass(
                own.number(),
                own.spec(),
                List.copyOf(ancestors),
                slots,
                first(own.spec().title(), parents, EntityClass::title),
                first(own.spec().body(), parents, EntityClass::body),
                first(own.spec().sections(), parents, parent -> some(parent.sections()))
                        .orElse(Map.of()),
                first(own.spec().codec(), parents, EntityClass::codec));
    }

    private static Optional<Map<String, String>> some(Map<String, String> sections) {
        return sections.isEmpty() ? Optional.empty() : Optional.of(sections);
    }

    private static <T> Optional<T> first(
            Optional<T> own, List<EntityClass> parents, Function<EntityClass, Optional<T>> from) {
        return own.or(
                () -> parents.stream().flatMap(each -> from.apply(each).stream()).findFirst());
    }

    /// The same slot by two ways is one, and two slots of one name are a mistake.
    private void join(String type, Map<String, EffectiveSlot> slots, EffectiveSlot slot) {
        var other = slots.get(slot.name());
        if (other == null) {
            slots.put(slot.name(), slot);
        } else if (other.number() != slot.number()) {
            add(
                    type,
                    Optional.of(slot.name()),
                    "%s and %s each have a slot of this name; rename one"
                            .formatted(other.from(), slot.from()));
        } else if (!other.equals(slot)) {
            slots.put(slot.name(), other.narrowedBy(slot, narrower(type, other, slot)));
        }
    }

    private void declare(StoredClass own, Map<String, EffectiveSlot> slots, SlotSpec spec) {
        EffectiveSlot declared;
        try {
            declared =
                    EffectiveSlot.declared(
                            own.slotNumbers().getOrDefault(spec.name(), 0L), own.name(), spec);
        } catch (IllegalArgumentException told) {
            // The check of the definition by itself has told it.
            return;
        }
        var inherited = slots.get(spec.name());
        if (inherited == null) {
            slots.put(spec.name(), declared);
            return;
        }
        checkNarrowing(own.name(), inherited, declared);
        slots.put(
                spec.name(),
                inherited.narrowedBy(declared, narrower(own.name(), inherited, declared)));
    }

    private void checkNarrowing(String type, EffectiveSlot inherited, EffectiveSlot declared) {
        var slot = Optional.of(declared.name());
        if (declared.type() != inherited.type()) {
            add(
                    type,
                    slot,
                    "is of type %s in %s; a class may narrow what it inherits, not change its type"
                            .formatted(inherited.type().word(), inherited.from()));
        }
        if (declared.many() && !inherited.many()) {
            add(
                    type,
                    slot,
                    "is one value in %s and cannot become a list".formatted(inherited.from()));
        }
        for (var rule : inherited.rules()) {
            if (rule instanceof SlotRule.OneOf words
                    && declared.rules().stream()
                            .anyMatch(
                                    own -> own instanceof SlotRule.OneOf && !words.follows(own))) {
                add(
                        type,
                        slot,
                        "has values that it has not in %s: %s"
                                .formatted(inherited.from(), String.join(", ", words.words())));
            }
        }
    }

    private Optional<String> narrower(String type, EffectiveSlot one, EffectiveSlot other) {
        if (one.target().isEmpty() || one.target().equals(other.target())) {
            return other.target();
        }
        if (other.target().isEmpty() || isBelow(one.target().get(), other.target().get())) {
            return one.target();
        }
        if (!isBelow(other.target().get(), one.target().get())) {
            add(
                    type,
                    Optional.of(other.name()),
                    "refers to %s, which is no %s as %s has it"
                            .formatted(other.target().get(), one.target().get(), one.from()));
        }
        return other.target();
    }

    /// Looked up in the definitions, for the classes may not be built yet.
    private boolean isBelow(String name, String ancestor) {
        var seen = new LinkedHashSet<String>();
        var open = new ArrayList<>(List.of(name));
        while (!open.isEmpty()) {
            var next = open.removeLast();
            if (next.equals(ancestor)) {
                return true;
            }
            var own = stored.get(next);
            if (own != null && seen.add(next)) {
                open.addAll(own.spec().parentList());
            }
        }
        return false;
    }

    private void checkWhole() {
        var graph = new ClassGraph(0, built);
        for (var each : built.values()) {
            checkTexts(each);
            for (var slot : each.slots().values()) {
                slot.target()
                        .filter(target -> !built.containsKey(target))
                        .ifPresent(target ->
                                add(
                                        each.name(),
                                        Optional.of(slot.name()),
                                        DefinitionCheck.unknown(
                                                "class", target, List.copyOf(built.keySet()))));
            }
            for (var inverse : graph.inverses(each).entrySet()) {
                if (each.slots().containsKey(inverse.getKey())) {
                    add(
                            inverse.getValue().from(),
                            Optional.of(inverse.getValue().name()),
                            "its inverse %s is a slot of %s"
                                    .formatted(inverse.getKey(), each.name()));
                }
            }
        }
    }

    private void checkTexts(EntityClass each) {
        each.title().ifPresent(name -> checkText(each, "title", name, Datatype.STRING));
        each.body().ifPresent(name -> checkText(each, "body", name, Datatype.TEXT));
        each.sections()
                .forEach((heading, name) -> {
                    checkText(each, "section", name, Datatype.TEXT);
                    if (heading.isBlank() || heading.lines().count() != 1) {
                        add(each.name(), Optional.empty(), "a heading of a section is one line");
                    }
                });
    }

    private void checkText(EntityClass each, String what, String name, Datatype type) {
        var fits = each.slot(name).filter(slot -> slot.type() == type && !slot.many()).isPresent();
        if (!fits) {
            add(
                    each.name(),
                    Optional.empty(),
                    "%s must name a slot of type %s that is no list; %s is none"
                            .formatted(what, type.word(), name));
        }
    }
}
