package dev.caisson.model;

/// Space that a caller was let into: proof of access for everything that works in it. Only [Spaces]
/// makes one, for one operation, after it has looked at owner and grants.
public final class Space {
    /// Number of a home that was never written to: no row has it, so nothing is found in it.
    static final long UNMADE = 0;

    private final SpaceRows.Row row;
    private final String name;
    private final SpaceAccess access;
    private final boolean owned;

    Space(SpaceRows.Row row, String name, SpaceAccess access, boolean owned) {
        this.row = row;
        this.name = name;
        this.access = access;
        this.owned = owned;
    }

    long number() {
        return row.number();
    }

    /// Revision of its classes when it was opened.
    long modelRevision() {
        return row.modelRevision();
    }

    public String name() {
        return name;
    }

    public String label() {
        return row.label();
    }

    /// What a person called the key that owns it.
    public String ownerName() {
        return row.ownerName();
    }

    public SpaceAccess access() {
        return access;
    }

    /// Whether it belongs to the caller who opened it.
    public boolean isOwned() {
        return owned;
    }

    /// How many entities it has.
    public long entities() {
        return row.entities();
    }

    boolean isUnmade() {
        return row.number() == UNMADE;
    }

    @Override
    public String toString() {
        return "Space[%s, %s]".formatted(name, access);
    }
}
