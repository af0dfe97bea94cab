package dev.caisson.model;

import dev.caisson.call.NearName;
import dev.caisson.call.OrderedId;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.store.Transaction;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/// Preparation of the changes of one transaction, before the writer has them: finds what they
/// change, and checks everything that needs no look at other entities. It collects all that is
/// wrong.
final class ChangePreparation {
    static final String ID_PREFIX = "ent_";

    private static final int ID_RADIX = 32;
    private static final int ID_LENGTH = 26;
    private static final int HEX = 16;
    private static final Pattern IDENT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    private final Transaction handle;
    private final long space;
    private final ClassGraph graph;
    private final ModelLimits limits;
    private final Author author;
    private final Instant now;
    private final List<Violation> violations = new ArrayList<>();
    private final Set<String> touched = new HashSet<>();

    ChangePreparation(
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

    /// @throws Refusal INVALID_ARGUMENT with all that is wrong; NOT_FOUND when there is no such
    ///   entity; CHANGED when it has another revision
    List<PreparedChange> prepare(List<EntityChange> changes) {
        var prepared = new ArrayList<PreparedChange>();
        for (var change : changes) {
            prepare(change, prepared.size() + 1).ifPresent(prepared::add);
            if (violations.size() >= Violation.TOLD_MAX) {
                break;
            }
        }
        if (!violations.isEmpty()) {
            throw Violation.refusal(violations);
        }
        return prepared;
    }

    private Optional<PreparedChange> prepare(EntityChange change, int number) {
        return switch (change) {
            case EntityChange.Create create -> create(create, number);
            case EntityChange.Update update -> {
                var before = existing(update.handle(), number, update.expectedRevision());
                yield update(before, update.attributes(), update.additive(), number);
            }
            case EntityChange.Delete delete -> {
                var before = existing(delete.handle(), number, delete.expectedRevision());
                var type = type(before);
                requireReason(type, number);
                yield Optional.of(
                        new PreparedChange.Removal(number, type, before, delete.inbound()));
            }
        };
    }

    private Optional<PreparedChange> create(EntityChange.Create create, int number) {
        var found = graph.find(create.type());
        if (found.isEmpty() || found.get().isAbstract() || found.get().isRetired()) {
            violations.add(noClass(create.type(), found, number));
            return Optional.empty();
        }
        var type = found.get();
        if (create.ident().filter(ident -> !isIdent(ident)).isPresent()) {
            violations.add(
                    Violation.of(
                            number,
                            "ident",
                            Violation.Kind.CONSTRAINT,
                            "must be a letter or digit and then at most 127 letters, digits, dots, hyphens and underscores, and not begin with ent_"));
            return Optional.empty();
        }
        var there = create.ident().flatMap(ident -> EntityRows.byIdent(handle, space, ident));
        if (there.isPresent()) {
            return meet(create, type, there.get(), number);
        }
        requireReason(type, number);
        create.ident().ifPresent(ident -> touch(ident, number));
        var checked =
                new AttributeCheck(type, limits, number)
                        .create(create.attributes(), now, author.name());
        violations.addAll(checked.violations());
        return Optional.of(
                new PreparedChange.NewEntity(
                        number,
                        type,
                        freshId(),
                        create.ident(),
                        create.onConflict() != EntityChange.OnConflict.REFUSE,
                        checked.document()));
    }

    private Optional<PreparedChange> meet(
            EntityChange.Create create, EntityClass type, StoredEntity there, int number) {
        if (there.type() != type.number()
                || create.onConflict() == EntityChange.OnConflict.REFUSE) {
            violations.add(taken(create.ident().orElse(there.id()), number));
            return Optional.empty();
        }
        if (create.onConflict() == EntityChange.OnConflict.KEEP) {
            return Optional.of(new PreparedChange.Kept(number, type, there));
        }
        touch(there.id(), number);
        return update(there, create.attributes(), false, number);
    }

    static Violation taken(String ident, int number) {
        return Violation.of(
                        number,
                        "ident",
                        Violation.Kind.NOT_UNIQUE,
                        "is taken by another entity of the space; update that one or choose another")
                .given(ident);
    }

    private Violation noClass(String name, Optional<EntityClass> found, int number) {
        if (found.isPresent()) {
            return Violation.of(
                    number,
                    Violation.Kind.ABSTRACT_CLASS,
                    found.get().isAbstract()
                            ? "%s is abstract; create an entity of a class below it".formatted(name)
                            : "%s is retired and takes no new entities".formatted(name));
        }
        return Violation.of(
                        number,
                        Violation.Kind.NO_CLASS,
                        "there is no class of this name in the space")
                .given(name)
                .near(NearName.of(name, graph.classes().stream().map(EntityClass::name).toList()));
    }

    private Optional<PreparedChange> update(
            StoredEntity before, ObjectNode attributes, boolean additive, int number) {
        var type = type(before);
        requireReason(type, number);
        var checked =
                new AttributeCheck(type, limits, number)
                        .update(before.document(), attributes, additive);
        violations.addAll(checked.violations());
        return Optional.of(new PreparedChange.NewVersion(number, type, before, checked.document()));
    }

    private StoredEntity existing(String name, int number, Optional<Long> expected) {
        var found =
                EntityFinder.find(handle, space, name).orElseThrow(() -> notFound(name, number));
        if (expected.filter(revision -> revision != found.revision()).isPresent()) {
            throw new Refusal(
                    Reason.CHANGED,
                    "The entity %s has revision %d now, not %d. Read it again."
                            .formatted(found.id(), found.revision(), expected.get()),
                    Map.of("rev", found.revision(), "entity", found.id()));
        }
        touch(found.id(), number);
        return found;
    }

    static Refusal notFound(String name, int number) {
        return new Refusal(
                Reason.NOT_FOUND,
                "There is no entity of this id or ident in the space.",
                Map.of("entity", name.substring(0, Math.min(name.length(), 64)), "change", number));
    }

    private void touch(String entity, int number) {
        if (!touched.add(entity)) {
            violations.add(
                    Violation.of(
                            number,
                            Violation.Kind.CONSTRAINT,
                            "a transaction changes an entity once; put its changes together"));
        }
    }

    private void requireReason(EntityClass type, int number) {
        if (type.requiresReason() && author.reason().isEmpty()) {
            violations.add(
                    Violation.of(
                            number,
                            "reason",
                            Violation.Kind.REASON_REQUIRED,
                            "%s asks for a reason with each change".formatted(type.name())));
        }
    }

    private EntityClass type(StoredEntity entity) {
        return graph.find(entity.type())
                .orElseThrow(() -> new IllegalStateException("an entity without a class"));
    }

    static boolean isIdent(String text) {
        return IDENT.matcher(text).matches() && !text.startsWith(ID_PREFIX);
    }

    /// Ordered by time.
    private static String freshId() {
        var digits = new BigInteger(OrderedId.fresh(), HEX).toString(ID_RADIX);
        return ID_PREFIX + "0".repeat(ID_LENGTH - digits.length()) + digits;
    }
}
