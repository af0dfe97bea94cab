package dev.caisson.linux;

/// Mount flag: what a sandbox may not do in a file system it is given.
public enum MountFlag {
    READ_ONLY(0x1),
    /// Set-id bits have no effect.
    NO_SUID(0x2),
    /// Device nodes have no effect.
    NO_DEV(0x4),
    NO_EXEC(0x8),
    NO_SYMLINKS(0x200000);

    private final long bit;

    MountFlag(long bit) {
        this.bit = bit;
    }

    long bit() {
        return bit;
    }
}
