package dev.caisson.model;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.store.Store;
import dev.caisson.store.Transaction;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Entities of spaces: written in transactions that are done whole or not at all, read as they are
/// or were.
///
/// What is written is checked before the database's only writer has it, and there compared once
/// more with what it was checked against; if that has changed, it is checked anew.
public final class Entities {
    /// How many versions one page of a history has.
    public static final int HISTORY_PAGE_MAX = 100;

    /// How often changes are prepared anew.
    private static final int ATTEMPTS_MAX = 10;

    private final Store store;
    private final Clock clock;
    private final ModelLimits limits;
    private final Models models;

    public Entities(Store store, Clock clock, ModelLimits limits, Models models) {
        this.store = store;
        this.clock = clock;
        this.limits = limits;
        this.models = models;
    }

    /// Makes all changes, or none.
    ///
    /// @throws Refusal INVALID_ARGUMENT with all that is wrong in its details; NOT_FOUND, CHANGED
    public AppliedChanges apply(Space space, Author author, List<EntityChange> changes) {
        requireWrite(space);
        if (changes.isEmpty() || changes.size() > limits.changesMax()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "changes must be 1 to %d.".formatted(limits.changesMax()));
        }
        for (var attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            var applied = attempt(space, author, changes);
            if (applied.isPresent()) {
                return applied.get();
            }
        }
        throw new Refusal(
                Reason.CONFLICT,
                "Others change the same entities, or classes of the space, all the time. Try again.");
    }

    private Optional<AppliedChanges> attempt(
            Space space, Author author, List<EntityChange> changes) {
        var now = clock.instant();
        var graph = store.read(handle -> models.graph(handle, space.number()));
        var prepared =
                store.read(handle ->
                        new ChangePreparation(handle, space.number(), graph, limits, author, now)
                                .prepare(changes));
        return store.write(handle ->
                new EntityWriter(handle, space.number(), graph, limits, author, now)
                        .write(prepared));
    }

    private static void requireWrite(Space space) {
        if (!space.access().includes(SpaceAccess.WRITE) || space.isUnmade()) {
            throw new Refusal(
                    Reason.FORBIDDEN, "The entities of this space are not yours to change.");
        }
    }

    /// What a deletion would delete and change, and what stands in its way.
    ///
    /// @param deleted ids
    /// @param unlinked ids
    /// @param blocking how many references stand in the way
    public record DeletionPlan(List<String> deleted, List<String> unlinked, int blocking) {
        public DeletionPlan {
            deleted = List.copyOf(deleted);
            unlinked = List.copyOf(unlinked);
        }
    }

    /// Looks, and deletes nothing.
    public DeletionPlan planDeletion(
            Space space, List<String> handles, EntityChange.Inbound inbound) {
        return store.read(handle -> {
            var graph = models.graph(handle, space.number());
            var removals = new ArrayList<PreparedChange.Removal>();
            for (var name : handles) {
                var entity =
                        EntityFinder.find(handle, space.number(), name)
                                .orElseThrow(() ->
                                        ChangePreparation.notFound(name, removals.size() + 1));
                removals.add(
                        new PreparedChange.Removal(
                                removals.size() + 1,
                                graph.find(entity.type()).orElseThrow(),
                                entity,
                                inbound));
            }
            var deletion = Deletion.of(handle, space.number(), graph, limits, removals);
            return new DeletionPlan(
                    deletion.removed().stream().map(StoredEntity::id).toList(),
                    deletion.unlinked().stream().map(each -> each.before().id()).toList(),
                    deletion.blocking().size());
        });
    }

    /// @param name an id or an ident
    public Optional<Entity> find(Space space, String name) {
        return store.read(handle ->
                EntityFinder.find(handle, space.number(), name)
                        .flatMap(entity -> shown(handle, space, entity)));
    }

    private Optional<Entity> shown(Transaction handle, Space space, StoredEntity entity) {
        return models.graph(handle, space.number()).find(entity.type()).map(entity::shown);
    }

    /// The last transaction of a space that was there at a moment; 0 when there was none.
    public long transactionAt(Space space, Instant moment) {
        return store.read(
                handle -> HistoryRows.transactionAt(handle, space.number(), moment.toEpochMilli()));
    }

    /// An entity as it was at a transaction, by today's names of its slots.
    ///
    /// @param name its id, or its ident then
    public Optional<Entity> findAt(Space space, String name, long transaction) {
        if (!EntityFinder.isId(name) && !ChangePreparation.isIdent(name)) {
            return Optional.empty();
        }
        return store.read(handle -> {
            var now = EntityFinder.find(handle, space.number(), name);
            if (now.filter(entity -> entity.updated().number() <= transaction).isPresent()) {
                return now.flatMap(entity -> shown(handle, space, entity));
            }
            var column = EntityFinder.isId(name) ? "id" : "ident";
            return HistoryRows.at(handle, space.number(), column, name, transaction)
                    .flatMap(old -> shown(handle, space, stored(handle, space, old)));
        });
    }

    private static StoredEntity stored(Transaction handle, Space space, HistoryRows.Old old) {
        return new StoredEntity(
                old.sequence(),
                old.type(),
                old.id(),
                old.ident(),
                old.label(),
                old.revision(),
                HistoryRows.transaction(handle, space.number(), old.createdBy()),
                HistoryRows.transaction(handle, space.number(), old.by()),
                old.document());
    }

    /// The versions of an entity, newest first, also of one that was deleted.
    ///
    /// @param name its id, or its ident now
    /// @param before only versions before this one
    public List<EntityVersion> history(Space space, String name, long before, int atMost) {
        var limit = Math.clamp(atMost, 1, HISTORY_PAGE_MAX);
        return store.read(handle -> {
            var graph = models.graph(handle, space.number());
            var now = EntityFinder.find(handle, space.number(), name);
            var versions = new ArrayList<EntityVersion>();
            now.filter(entity -> entity.revision() < before)
                    .map(entity -> version(graph, entity, Optional.empty()))
                    .ifPresent(versions::add);
            var id = now.map(StoredEntity::id).orElse(name);
            if (versions.size() < limit && EntityFinder.isId(id)) {
                for (var old :
                        HistoryRows.of(
                                handle, space.number(), id, before, limit - versions.size())) {
                    versions.add(version(handle, space, graph, old));
                }
            }
            return List.copyOf(versions);
        });
    }

    private static EntityVersion version(
            Transaction handle, Space space, ClassGraph graph, HistoryRows.Old old) {
        var ended =
                old.isLast()
                        ? Optional.of(HistoryRows.transaction(handle, space.number(), old.until()))
                        : Optional.<ModelTransaction>empty();
        return version(graph, stored(handle, space, old), ended);
    }

    private static EntityVersion version(
            ClassGraph graph, StoredEntity entity, Optional<ModelTransaction> ended) {
        var type = graph.find(entity.type());
        return new EntityVersion(
                entity.revision(),
                type.map(EntityClass::name),
                entity.label(),
                entity.updated(),
                ended,
                type.map(each -> EntityDocument.attributes(each, entity.document()))
                        .orElseGet(Json::object));
    }
}
