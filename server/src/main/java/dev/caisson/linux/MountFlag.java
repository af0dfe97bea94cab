package dev.caisson.linux;

/// What a sandbox may not do in a directory it is given. Set-id bits and device nodes never work in
/// one.
public enum MountFlag {
    READ_ONLY(0x1),
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
