package dev.caisson.linux.calls;

import java.util.Locale;

/// System calls whose numbers are the same on every architecture, and which older C libraries do
/// not name.
public enum NumberedCalls {
    PIDFD_SEND_SIGNAL(424),
    OPEN_TREE(428),
    MOVE_MOUNT(429),
    FSOPEN(430),
    FSCONFIG(431),
    FSMOUNT(432),
    FSPICK(433),
    PIDFD_OPEN(434),
    OPENAT2(437),
    MOUNT_SETATTR(442),
    LANDLOCK_CREATE_RULESET(444),
    LANDLOCK_ADD_RULE(445),
    LANDLOCK_RESTRICT_SELF(446);

    private final int number;

    NumberedCalls(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
