package dev.caisson.model;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.store.Store;
import dev.caisson.store.Transaction;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/// Definitions of the classes of spaces: read, changed, and kept as graphs, which never change and
/// are found by the revision that their space has now. So no process ever sees an old one.
public final class Models {
    /// How many graphs are kept.
    private static final int GRAPHS_MAX = 256;

    private final Store store;
    private final Clock clock;
    private final ModelLimits limits;
    private final Map<Long, ClassGraph> graphs =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Long, ClassGraph> eldest) {
                    return size() > GRAPHS_MAX;
                }
            };

    public Models(Store store, Clock clock, ModelLimits limits) {
        this.store = store;
        this.clock = clock;
        this.limits = limits;
    }

    /// Definitions that were changed, or would be.
    ///
    /// @param plan what each change does
    public record Definition(List<PlanLine> plan, ClassGraph graph) {
        public Definition {
            plan = List.copyOf(plan);
        }
    }

    /// All classes of a space as it was opened.
    public ClassGraph graph(Space space) {
        synchronized (graphs) {
            var kept = graphs.get(space.number());
            if (kept != null && kept.revision() == space.modelRevision()) {
                return kept;
            }
        }
        return store.read(handle -> graph(handle, space.number()));
    }

    /// The same within a transaction, as it is there.
    ClassGraph graph(Transaction handle, long space) {
        var revision = ClassRows.revision(handle, space);
        synchronized (graphs) {
            var kept = graphs.get(space);
            if (kept != null && kept.revision() == revision) {
                return kept;
            }
        }
        var graph = built(revision, ClassRows.list(handle, space)).orThrow();
        synchronized (graphs) {
            graphs.put(space, graph);
        }
        return graph;
    }

    private GraphBuilder.Built built(long revision, List<StoredClass> own) {
        var all = Stream.concat(BaseClasses.ALL.stream(), own.stream()).toList();
        return GraphBuilder.build(revision, all, limits.slotsMax());
    }

    /// Says what changes would do, and does nothing.
    public Definition plan(Space space, List<ClassSpec> specs) {
        var pretended = new AtomicLong(-1);
        return store.read(
                handle -> change(handle, space, specs, pretended::getAndDecrement).definition());
    }

    /// Changes classes of a space: all that is asked for, in one transaction, or nothing.
    ///
    /// @throws Refusal INVALID_ARGUMENT with all that is wrong
    public Definition define(Space space, Author author, List<ClassSpec> specs) {
        if (!space.access().includes(SpaceAccess.DEFINE)) {
            throw new Refusal(
                    Reason.FORBIDDEN, "The classes of this space are not yours to change.");
        }
        return store.write(handle -> {
            var change = change(handle, space, specs, () -> ModelNumbers.take(handle, 1));
            write(handle, space, author, change);
            return change.definition();
        });
    }

    /// @param evolution what becomes of the entities
    private record Change(
            List<StoredClass> before,
            List<StoredClass> after,
            Definition definition,
            Evolution evolution) {}

    private Change change(
            Transaction handle, Space space, List<ClassSpec> specs, LongSupplier numbers) {
        requireCount(specs);
        var revision = ClassRows.revision(handle, space.number());
        var before = ClassRows.list(handle, space.number());
        var changed = ClassChanges.apply(before, specs, numbers);
        var built = built(revision + 1, changed.classes());
        var mistakes = new ArrayList<>(changed.mistakes());
        mistakes.addAll(built.mistakes());
        if (changed.classes().size() > limits.classesMax()) {
            mistakes.add(
                    new DefinitionMistake(
                            specs.getLast().name(),
                            Optional.empty(),
                            "a space has at most %d classes".formatted(limits.classesMax())));
        }
        if (!mistakes.isEmpty()) {
            throw DefinitionMistake.refusal(mistakes.stream().distinct().toList());
        }
        var evolution =
                Evolution.of(
                        handle,
                        space.number(),
                        built(revision, before).orThrow(),
                        built.graph(),
                        limits,
                        specs);
        var plan = changed.lines().stream().map(evolution::told).toList();
        return new Change(
                before, changed.classes(), new Definition(plan, built.graph()), evolution);
    }

    private void requireCount(List<ClassSpec> specs) {
        if (specs.isEmpty() || specs.size() > limits.classesMax()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "classes must be 1 to %d definitions.".formatted(limits.classesMax()));
        }
    }

    private void write(Transaction handle, Space space, Author author, Change change) {
        var refused = change.evolution().refused();
        if (!refused.isEmpty()) {
            throw DefinitionMistake.refusal(refused);
        }
        var gone = new ArrayList<>(change.before());
        gone.removeAll(change.after());
        gone.forEach(each -> ClassRows.delete(handle, space.number(), each));
        var come = new ArrayList<>(change.after());
        come.removeAll(change.before());
        come.forEach(each -> ClassRows.insert(handle, space.number(), each));
        if (!gone.isEmpty() || !come.isEmpty()) {
            var tx = ModelTransaction.begin(handle, space.number(), author, clock.instant());
            var plan =
                    Json.text(
                            Json.tree(
                                    change.definition().plan().stream()
                                            .map(Records::tree)
                                            .toList()));
            ClassRows.advance(
                    handle, space.number(), change.definition().graph().revision(), tx, plan);
            change.evolution().write(tx);
        }
    }
}
