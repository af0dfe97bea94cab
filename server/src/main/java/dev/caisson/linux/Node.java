package dev.caisson.linux;

import java.time.Instant;

/// Attributes of a name in a directory, read without opening it.
///
/// @param allocatedBytes it takes on the disk, which for a sparse file is less than its size
/// @param inode and `device` tell one file from every other
/// @param permissions for owner, group and others: nine bits
public record Node(
        Kind kind,
        long size,
        long allocatedBytes,
        Instant modified,
        long inode,
        long device,
        int user,
        int group,
        int permissions) {
    /// Only the first is ever read, and only the second is ever entered.
    public enum Kind {
        FILE,
        DIRECTORY,
        LINK,
        /// A pipe, a socket or a device.
        OTHER;

        private static final int TYPE_MASK = 0xf000;

        public static Kind ofMode(int mode) {
            return switch (mode & TYPE_MASK) {
                case 0x8000 -> FILE;
                case 0x4000 -> DIRECTORY;
                case 0xa000 -> LINK;
                default -> OTHER;
            };
        }
    }

    public boolean isFile() {
        return kind == Kind.FILE;
    }

    public boolean isDirectory() {
        return kind == Kind.DIRECTORY;
    }
}
