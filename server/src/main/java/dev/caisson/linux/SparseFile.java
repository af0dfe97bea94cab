package dev.caisson.linux;

import dev.caisson.call.Digests;
import dev.caisson.linux.calls.Kernel;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;

/// Copy and hash of sparse files: holes are not read, and no copy is larger on the disk than its
/// original.
///
/// The digest is SHA-256 over the length of the file (8 bytes, the highest first) and, for each
/// aligned block of 64 KiB that has a byte other than zero, its offset (8 bytes) and its bytes. So
/// a file has the same digest wherever its holes are.
public final class SparseFile {
    private static final int BLOCK = 64 << 10;
    private static final byte[] ZEROS = new byte[BLOCK];

    private SparseFile() {}

    /// Makes a copy that its owner alone can read.
    ///
    /// @param to must not exist
    /// @return the digest of what was copied
    public static String copy(Path from, Path to) throws IOException {
        var options =
                Set.of(
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.SPARSE,
                        StandardOpenOption.WRITE);
        var ownersAlone =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (var copy = FileChannel.open(to, options, ownersAlone)) {
            return walk(
                    from,
                    (offset, block) -> {
                        while (block.hasRemaining()) {
                            copy.write(block, offset + block.position());
                        }
                    },
                    length -> {
                        if (copy.size() < length) {
                            copy.write(ByteBuffer.wrap(new byte[1]), length - 1);
                        }
                    });
        }
    }

    public static String digest(Path file) throws IOException {
        return walk(file, (_, _) -> {}, _ -> {});
    }

    private interface Block {
        void take(long offset, ByteBuffer block) throws IOException;
    }

    private interface End {
        void at(long length) throws IOException;
    }

    private static String walk(Path file, Block each, End end) throws IOException {
        var digest = Digests.sha256();
        try (var arena = Arena.ofConfined();
                var channel = FileChannel.open(file)) {
            var kernel = new Kernel(arena);
            int descriptor = kernel.openExisting(file, Kernel.O_RDONLY);
            try {
                long length = Files.size(file);
                digest.update(number(length));
                long at = 0;
                for (long data = kernel.nextData(descriptor, at);
                        data >= 0 && at < length;
                        data = kernel.nextData(descriptor, at)) {
                    at = Math.max(at, data / BLOCK * BLOCK);
                    long hole = Math.min(length, kernel.nextHole(descriptor, data));
                    for (; at < hole; at += BLOCK) {
                        block(channel, at, length, digest, each);
                    }
                }
                end.at(length);
            } finally {
                kernel.closeNow(descriptor);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void block(
            FileChannel channel, long at, long length, MessageDigest digest, Block each)
            throws IOException {
        var block = ByteBuffer.allocate((int) Math.min(BLOCK, length - at));
        while (block.hasRemaining() && channel.read(block, at + block.position()) >= 0) {
            // Goes on until the block is whole, or the file ends earlier than it did.
        }
        block.flip();
        if (!Arrays.equals(block.array(), 0, block.limit(), ZEROS, 0, block.limit())) {
            digest.update(number(at));
            digest.update(block.duplicate());
            each.take(at, block);
        }
    }

    private static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }
}
