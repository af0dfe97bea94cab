package dev.caisson.model;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/// Writer of prepared changes within the database transaction that makes them: looks once more at
/// what they were prepared on, resolves references, and moves what was there into the history.
final class EntityWriter {
    private final Transaction handle;
    private final long space;
    private final ClassGraph graph;
    private final ModelLimits limits;
    private final Author author;
    private final Instant now;
    private final List<Violation> violations = new ArrayList<>();
    private final List<Claim> claims = new ArrayList<>();
    private Optional<ModelTransaction> begun = Optional.empty();

    /// Unique value, to be checked when everything is written.
    private record Claim(int number, EntityClass type, long sequence, IndexEntries.Key key) {}

    EntityWriter(
            Transaction handle,
            long space,
            ClassGraph graph,
            ModelLimits limits,
            Author author,
            Instant now) {
        this.handle = handle;
        this.space = space;
        this.graph = graph;
        this.limits = limits;
        this.author = author;
        this.now = now;
    }

    /// @return empty when something is not as it was when the changes were prepared, and then
    ///   nothing was written
    Optional<AppliedChanges> write(List<PreparedChange> changes) {
        if (ClassRows.revision(handle, space) != graph.revision()
                || !changes.stream().allMatch(this::isFresh)) {
            return Optional.empty();
        }
        var references = new ReferenceResolver(handle, space, graph, changes);
        var results = new ArrayList<AppliedChanges.Result>();
        for (var change : changes) {
            results.add(write(change, references));
        }
        violations.addAll(references.violations());
        checkClaims();
        if (!violations.isEmpty()) {
            throw Violation.refusal(violations);
        }
        var deletion = delete(changes);
        return Optional.of(
                new AppliedChanges(
                        begun,
                        results,
                        deletion.removed().stream().map(StoredEntity::id).toList(),
                        deletion.unlinked().stream().map(each -> each.before().id()).toList()));
    }

    private boolean isFresh(PreparedChange change) {
        return switch (change) {
            case PreparedChange.NewEntity made ->
                    made.ident().isEmpty()
                            || !made.mayMeet()
                            || EntityRows.byIdent(handle, space, made.ident().get()).isEmpty();
            case PreparedChange.NewVersion changed -> isFresh(changed.before());
            case PreparedChange.Kept kept -> isFresh(kept.before());
            case PreparedChange.Removal removal -> isFresh(removal.before());
        };
    }

    private boolean isFresh(StoredEntity before) {
        return EntityRows.byId(handle, space, before.id())
                .filter(now -> now.revision() == before.revision())
                .isPresent();
    }

    private ModelTransaction transaction() {
        var transaction = begun.orElseGet(() -> ModelTransaction.begin(handle, space, author, now));
        begun = Optional.of(transaction);
        return transaction;
    }

    private AppliedChanges.Result write(PreparedChange change, ReferenceResolver references) {
        return switch (change) {
            case PreparedChange.NewEntity made -> create(made, references);
            case PreparedChange.NewVersion changed -> {
                var document =
                        references.resolved(changed.type(), changed.document(), changed.number());
                yield update(changed.number(), changed.type(), changed.before(), document);
            }
            case PreparedChange.Kept kept ->
                    result(AppliedChanges.Act.UNCHANGED, kept.type(), kept.before(), List.of());
            case PreparedChange.Removal removal ->
                    result(AppliedChanges.Act.DELETED, removal.type(), removal.before(), List.of());
        };
    }

    private static AppliedChanges.Result result(
            AppliedChanges.Act act, EntityClass type, StoredEntity entity, List<String> changed) {
        return new AppliedChanges.Result(act, entity.shown(type), changed);
    }

    private AppliedChanges.Result create(
            PreparedChange.NewEntity made, ReferenceResolver references) {
        var type = made.type();
        var document = references.resolved(type, made.document(), made.number());
        var tx = transaction();
        var entity =
                new StoredEntity(
                        ModelNumbers.take(handle, 1),
                        type.number(),
                        made.id(),
                        made.ident(),
                        EntityDocument.label(type, document, made.ident(), made.id()),
                        1,
                        tx,
                        tx,
                        document);
        if (EntityRows.insert(handle, space, entity)) {
            index(made.number(), type, entity, IndexEntries.NONE);
        } else {
            violations.add(ChangePreparation.taken(made.ident().orElse(made.id()), made.number()));
        }
        if (EntityRows.addToCount(handle, space, 1) > limits.entitiesMax()) {
            throw new Refusal(
                    Reason.NO_CAPACITY,
                    "A space has at most %d entities. Delete some first."
                            .formatted(limits.entitiesMax()),
                    Map.of(Refusal.RETRYABLE, false));
        }
        return result(
                AppliedChanges.Act.CREATED,
                type,
                entity,
                List.copyOf(EntityDocument.attributes(type, document).propertyNames()));
    }

    private AppliedChanges.Result update(
            int number, EntityClass type, StoredEntity before, ObjectNode document) {
        if (document.equals(before.document())) {
            return result(AppliedChanges.Act.UNCHANGED, type, before, List.of());
        }
        var label = EntityDocument.label(type, document, before.ident(), before.id());
        var after = before.with(label, transaction(), document);
        HistoryRows.insert(handle, space, before, transaction(), false);
        EntityRows.replace(handle, space, after);
        index(number, type, after, IndexEntries.of(type, before));
        var changed =
                type.slots().values().stream()
                        .filter(slot ->
                                !EntityDocument.value(document, slot)
                                        .equals(EntityDocument.value(before.document(), slot)))
                        .map(EffectiveSlot::name)
                        .toList();
        return result(AppliedChanges.Act.UPDATED, type, after, changed);
    }

    private void index(int number, EntityClass type, StoredEntity entity, IndexEntries before) {
        var after = IndexEntries.of(type, entity);
        IndexRows.replace(handle, space, entity.sequence(), before, after);
        after.keys().stream()
                .filter(key -> key.slot() < 0 && !before.keys().contains(key))
                .forEach(key -> claims.add(new Claim(number, type, entity.sequence(), key)));
    }

    private void checkClaims() {
        for (var claim : claims) {
            IndexRows.holder(handle, space, claim.key(), claim.sequence())
                    .flatMap(holder -> EntityRows.bySequence(handle, space, holder))
                    .ifPresent(holder ->
                            violations.add(
                                    Violation.of(
                                            claim.number(),
                                            claim.type()
                                                    .slot(-claim.key().slot())
                                                    .map(EffectiveSlot::name)
                                                    .orElse("?"),
                                            Violation.Kind.NOT_UNIQUE,
                                            "is the value of %s too, and must be unique"
                                                    .formatted(holder.id()))));
        }
    }

    private Deletion delete(List<PreparedChange> changes) {
        var removals =
                changes.stream()
                        .flatMap(change ->
                                change instanceof PreparedChange.Removal removal
                                        ? Stream.of(removal)
                                        : Stream.empty())
                        .toList();
        var deletion = Deletion.of(handle, space, graph, limits, removals);
        if (!deletion.blocking().isEmpty()) {
            throw deletion.refusal();
        }
        for (var unlinked : deletion.unlinked()) {
            update(0, unlinked.type(), unlinked.before(), unlinked.document());
        }
        for (var gone : deletion.removed()) {
            var type = graph.find(gone.type()).orElseThrow();
            HistoryRows.insert(handle, space, gone, transaction(), true);
            IndexRows.replace(
                    handle, space, gone.sequence(), IndexEntries.of(type, gone), IndexEntries.NONE);
            EntityRows.delete(handle, space, gone);
        }
        if (!deletion.removed().isEmpty()) {
            EntityRows.addToCount(handle, space, -deletion.removed().size());
        }
        return deletion;
    }
}
