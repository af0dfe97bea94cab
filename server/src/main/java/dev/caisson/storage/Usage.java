package dev.caisson.storage;

import dev.caisson.linux.DiskUsage;
import java.util.Optional;
import java.util.OptionalLong;

/// Disk usage of a thread or a volume, for rooms that know nothing of the kernel.
///
/// @param bytesMax and `filesMax` absent where nothing but the host's disk is the limit
public record Usage(
        long bytesUsed, Optional<Long> bytesMax, long filesUsed, Optional<Long> filesMax) {
    static final Usage NOTHING = new Usage(0, Optional.empty(), 0, Optional.empty());

    static Usage of(DiskUsage room) {
        return new Usage(
                room.bytesUsed(),
                optional(room.bytesMax()),
                room.filesUsed(),
                optional(room.filesMax()));
    }

    private static Optional<Long> optional(OptionalLong number) {
        return number.isPresent() ? Optional.of(number.getAsLong()) : Optional.empty();
    }
}
