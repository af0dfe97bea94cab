package dev.caisson.storage;

import dev.caisson.linux.Room;
import java.util.Optional;
import java.util.OptionalLong;

/// How full a thread or a volume is.
///
/// @param bytesMax and `filesMax` absent where nothing but the host's disk is the limit
public record Usage(
        long bytesUsed, Optional<Long> bytesMax, long filesUsed, Optional<Long> filesMax) {
    static final Usage NOTHING = new Usage(0, Optional.empty(), 0, Optional.empty());

    static Usage of(Room room) {
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
