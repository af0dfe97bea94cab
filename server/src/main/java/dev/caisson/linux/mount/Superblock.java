package dev.caisson.linux.mount;

import dev.caisson.linux.DiskUsage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/// Superblock of an ext4 file system, which says what it is, 1,024 bytes into its image. True while
/// it is mounted nowhere; a mounted one writes it now and then.
public final class Superblock {
    private static final int START = 1024;
    private static final int BYTES = 1024;
    private static final int MAGIC = 0xEF53;

    private final ByteBuffer bytes;

    private Superblock(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    public static Superblock of(Path image) throws IOException {
        var bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (var file = FileChannel.open(image, StandardOpenOption.READ)) {
            while (bytes.hasRemaining()) {
                if (file.read(bytes, START + bytes.position()) < 0) {
                    throw new IOException(image + " is too short for a file system");
                }
            }
        }
        if (Short.toUnsignedInt(bytes.getShort(56)) != MAGIC) {
            throw new IOException(image + " holds no ext4 file system");
        }
        return new Superblock(bytes);
    }

    /// As `statfs` would say it, less what the file system keeps for itself.
    public DiskUsage room() {
        long block = 1024L << bytes.getInt(24);
        long blocks = wide(4, 336) - unsigned(584);
        long free = wide(12, 344);
        long files = unsigned(0) - Ext4.RESERVED_FILES;
        return new DiskUsage(
                (blocks - free) * block,
                OptionalLong.of(blocks * block),
                files - unsigned(16),
                OptionalLong.of(files));
    }

    private long wide(int low, int high) {
        return unsigned(low) | unsigned(high) << 32;
    }

    private long unsigned(int at) {
        return Integer.toUnsignedLong(bytes.getInt(at));
    }
}
