package dev.caisson.storage;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.config.Defaults;
import dev.caisson.config.Key;
import dev.caisson.linux.Node;
import dev.caisson.linux.UntrustedDirectory;
import dev.caisson.share.CallerWorkers;
import dev.caisson.storage.tree.Walk;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/// Limits of an archive: how much its files may take. A file may be larger than what it takes on
/// the disk, because it has holes; both count.
///
/// @param allocatedBytes of all files on the disk
/// @param unpackedBytes of all files once they are unpacked, holes included
public record ArchiveLimits(
        @Key(
                        name = "files.archive_bytes_max",
                        initial = "8GiB",
                        min = "1MiB",
                        max = "1TiB",
                        doc = "How much the files of one archive may take on the disk.")
                long allocatedBytes,
        @Key(
                        name = "files.archive_unpacked_bytes_max",
                        initial = "16GiB",
                        min = "1MiB",
                        max = "1TiB",
                        doc = "How much they may have unpacked, with the holes of sparse files.")
                long unpackedBytes) {
    public static final ArchiveLimits DEFAULT = Defaults.of(ArchiveLimits.class);

    /// A larger file that is almost nothing but holes is left out and counts for nothing: it would
    /// unpack to what no disk here could hold.
    static final long SPARSE_BYTES_MAX = 1L << 30;

    private static final int SPARSE_RATIO = 16;

    public ArchiveLimits {
        if (allocatedBytes < 1 || unpackedBytes < 1) {
            throw new IllegalArgumentException("limits must be positive");
        }
    }

    public static boolean isMostlyHoles(Node node) {
        return node.size() > SPARSE_BYTES_MAX && node.allocatedBytes() < node.size() / SPARSE_RATIO;
    }

    /// Adds up a tree before it is packed.
    ///
    /// @throws Refusal TOO_LARGE
    void require(UntrustedDirectory root, WalkBounds bounds, CallerWorkers computing)
            throws IOException, InterruptedException {
        var total = total();
        Walk.Visitor adding =
                met -> {
                    var node = met.look().node();
                    total.add(node)
                            .ifPresent(refusal -> {
                                throw refusal;
                            });
                    return node.isDirectory();
                };
        try (var walk = new Walk(root.enter(new byte[0]), FilePath.ROOT, bounds, adding)) {
            computing.runAll(walk::next);
        }
    }

    public Total total() {
        return new Total();
    }

    /// What the files of one archive have together.
    public final class Total {
        private long allocated;
        private long unpacked;

        /// @return why it is too much
        public Optional<Refusal> add(Node node) {
            if (node.isFile() && !isMostlyHoles(node)) {
                allocated += node.allocatedBytes();
                unpacked += node.size();
            }
            if (allocated > allocatedBytes) {
                return Optional.of(refusal("take", allocatedBytes, "on the disk"));
            }
            return unpacked > unpackedBytes
                    ? Optional.of(refusal("have", unpackedBytes, "unpacked"))
                    : Optional.empty();
        }
    }

    private static Refusal refusal(String verb, long max, String where) {
        return new Refusal(
                Reason.TOO_LARGE,
                "The files %s more than %d bytes %s, which is the most an archive may hold. Fetch them one by one, or delete what is not needed."
                        .formatted(verb, max, where),
                Map.of("bytes_max", max));
    }
}
