package dev.caisson.model;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.store.Store;
import dev.caisson.store.Transaction;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Spaces and who may enter them: each caller has a private one, `home`, and owns or was granted
/// named ones. Whoever has no access is told the same as if there were no such space.
public final class Spaces {
    /// The private space of each caller.
    public static final String HOME = "home";

    static final int LABEL_MAX = 200;
    private static final int NAME_SHOWN_MAX = 64;
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,62}");

    private final Store store;
    private final Clock clock;
    private final ModelLimits limits;

    public Spaces(Store store, Clock clock, ModelLimits limits) {
        this.store = store;
        this.clock = clock;
        this.limits = limits;
    }

    /// Lets a caller into a space. A home is made when something is to be written to it.
    ///
    /// @throws Refusal NOT_FOUND when there is none that the caller may read; FORBIDDEN when it may
    ///   read it and needs more
    public Space open(Caller caller, String name, SpaceAccess needed) {
        var space =
                store.read(handle -> find(handle, caller, name)).orElseThrow(() -> notFound(name));
        if (!space.access().includes(needed)) {
            throw new Refusal(
                    Reason.FORBIDDEN,
                    "The space %s was granted to you to %s, and this needs the right to %s. Ask its owner, %s."
                            .formatted(
                                    name, space.access().word(), needed.word(), space.ownerName()),
                    Map.of("space", name, "needs", needed.word()));
        }
        return space.isUnmade() && needed.includes(SpaceAccess.WRITE) ? makeHome(caller) : space;
    }

    private static Optional<Space> find(Transaction handle, Caller caller, String name) {
        if (name.equals(HOME)) {
            var home = SpaceRows.home(handle, caller.id()).orElseGet(() -> unmade(caller));
            return Optional.of(new Space(home, HOME, SpaceAccess.DEFINE, true));
        }
        return Optional.of(name)
                .filter(given -> NAME.matcher(given).matches())
                .flatMap(given -> SpaceRows.named(handle, given))
                .flatMap(row -> entered(handle, caller, row));
    }

    private static Optional<Space> entered(Transaction handle, Caller caller, SpaceRows.Row row) {
        var owned = row.owner().equals(caller.id());
        var access =
                owned
                        ? Optional.of(SpaceAccess.DEFINE)
                        : SpaceRows.granted(handle, row.number(), caller.id());
        return access.map(has -> new Space(row, row.name().orElse(HOME), has, owned));
    }

    private static SpaceRows.Row unmade(Caller caller) {
        return home(caller, Space.UNMADE);
    }

    private static SpaceRows.Row home(Caller caller, long number) {
        return new SpaceRows.Row(
                number, Optional.empty(), caller.id(), caller.name(), "Home", 0, 0);
    }

    private Space makeHome(Caller caller) {
        return store.write(handle -> {
            SpaceRows.insert(handle, home(caller, ModelNumbers.take(handle, 1)), clock.instant());
            return find(handle, caller, HOME).orElseThrow();
        });
    }

    /// The spaces of a caller, its home first.
    public List<Space> list(Caller caller) {
        return store.read(handle -> {
            var spaces = new ArrayList<Space>();
            find(handle, caller, HOME).ifPresent(spaces::add);
            SpaceRows.list(handle, caller.id())
                    .forEach(row -> entered(handle, caller, row).ifPresent(spaces::add));
            return List.copyOf(spaces);
        });
    }

    /// Makes a named space, which the caller owns.
    ///
    /// @throws Refusal INVALID_ARGUMENT when the name is none or taken; NO_CAPACITY when the caller
    ///   owns too many
    public Space create(Caller caller, String name, String label) {
        requireName(name);
        requireLabel(label);
        return store.write(handle -> {
            if (SpaceRows.owned(handle, caller.id()) >= limits.spacesPerCaller()) {
                throw tooMany(
                        "You own %d spaces, and no key may own more. Delete one first."
                                .formatted(limits.spacesPerCaller()));
            }
            var row =
                    new SpaceRows.Row(
                            ModelNumbers.take(handle, 1),
                            Optional.of(name),
                            caller.id(),
                            caller.name(),
                            label,
                            0,
                            0);
            if (!SpaceRows.insert(handle, row, clock.instant())) {
                throw invalid("The name %s is taken. Choose another.".formatted(name));
            }
            return new Space(row, name, SpaceAccess.DEFINE, true);
        });
    }

    /// Lets another caller into a space of the caller's own, or changes what it may do there.
    ///
    /// @param grantee the id of the other
    public void grant(Caller owner, String name, String grantee, SpaceAccess access) {
        store.write(handle -> {
            var space = owned(handle, owner, name);
            if (grantee.equals(owner.id())) {
                throw invalid("The space %s is yours, so you need no grant.".formatted(name));
            }
            if (SpaceRows.granted(handle, space.number(), grantee).isEmpty()
                    && SpaceRows.grantees(handle, space.number()) >= limits.grantsMax()) {
                throw tooMany(
                        "The space %s is granted to %d keys, and to no more. Revoke a grant first."
                                .formatted(name, limits.grantsMax()));
            }
            SpaceRows.grant(handle, space.number(), new SpaceGrant(grantee, access));
            return space;
        });
    }

    /// @return whether there was a grant
    public boolean revoke(Caller owner, String name, String grantee) {
        return store.write(
                handle -> SpaceRows.revoke(handle, owned(handle, owner, name).number(), grantee));
    }

    /// Who may enter a space of the caller's own.
    public List<SpaceGrant> grants(Caller owner, String name) {
        return store.read(handle -> SpaceRows.grants(handle, owned(handle, owner, name).number()));
    }

    /// Deletes an empty space of the caller's own.
    ///
    /// @throws Refusal INVALID_ARGUMENT when it has entities
    public void delete(Caller owner, String name) {
        store.write(handle -> {
            var space = owned(handle, owner, name);
            if (space.entities() > 0) {
                throw invalid(
                        "The space %s has %d entities. Delete them first."
                                .formatted(name, space.entities()));
            }
            SpaceRows.delete(handle, space.number());
            return space;
        });
    }

    private static Space owned(Transaction handle, Caller owner, String name) {
        if (name.equals(HOME)) {
            throw invalid("The space home is private: it is neither granted nor deleted.");
        }
        var space = find(handle, owner, name).orElseThrow(() -> notFound(name));
        if (!space.isOwned()) {
            throw new Refusal(
                    Reason.FORBIDDEN,
                    "The space %s belongs to %s, who alone grants and deletes it."
                            .formatted(name, space.ownerName()));
        }
        return space;
    }

    private static void requireName(String name) {
        if (name.equals(HOME) || !NAME.matcher(name).matches()) {
            throw invalid(
                    "name must be a lower-case letter and then at most 62 lower-case letters, digits and hyphens, and not home.");
        }
    }

    private static void requireLabel(String label) {
        if (label.length() > LABEL_MAX || label.indexOf('\0') >= 0) {
            throw invalid(
                    "label must be at most %d characters, none of them NUL.".formatted(LABEL_MAX));
        }
    }

    private static Refusal notFound(String name) {
        return new Refusal(
                Reason.NOT_FOUND,
                "There is no space of this name that you may read. List your spaces, or use home.",
                Map.of("space", name.substring(0, Math.min(name.length(), NAME_SHOWN_MAX))));
    }

    private static Refusal invalid(String sentence) {
        return new Refusal(Reason.INVALID_ARGUMENT, sentence);
    }

    private static Refusal tooMany(String sentence) {
        return new Refusal(Reason.NO_CAPACITY, sentence, Map.of(Refusal.RETRYABLE, false));
    }
}
