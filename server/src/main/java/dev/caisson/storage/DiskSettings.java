package dev.caisson.storage;

import dev.caisson.config.Defaults;
import dev.caisson.config.Key;

/// Settings of the disk: how much of it may be kept, and when the operator is warned.
///
/// @param keptPart of the disk that everything kept may take together; 0 means that only the sizes
///   of each kind count
/// @param warnPart of the disk; a warning is due when less is free, and less than `warnBytes`
public record DiskSettings(
        @Key(
                        name = "keep.disk_part",
                        initial = "0.6",
                        min = "0",
                        max = "1",
                        doc =
                                "The most of the disk that everything kept may take together; with 0"
                                        + " only the size of each kind counts. See below.")
                double keptPart,
        @Key(
                        name = "data.disk_warn_part",
                        initial = "0.1",
                        min = "0",
                        max = "1",
                        doc =
                                "The server warns when less than this part of a disk is free and less"
                                        + " than data.disk_warn_bytes; with 0 it never does.")
                double warnPart,
        @Key(
                        name = "data.disk_warn_bytes",
                        initial = "5GiB",
                        min = "1MiB",
                        max = "1024TiB",
                        doc =
                                "The server warns when less than this is free and less than"
                                        + " data.disk_warn_part.")
                long warnBytes) {
    public static final DiskSettings DEFAULT = Defaults.of(DiskSettings.class);

    /// Below how many free bytes a disk of this size is short.
    long warnBelow(long totalBytes) {
        return Math.min(warnBytes, (long) (totalBytes * warnPart));
    }
}
