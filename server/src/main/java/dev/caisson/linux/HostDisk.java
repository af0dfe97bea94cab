package dev.caisson.linux;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Keeps the disk under the images from filling up. An image is sparse: it takes what is in it, and
/// may grow to its size while it is mounted. What mounted images may still grow by is promised, and
/// a promise is made only when the free space covers it and all others, less a reserve.
public final class HostDisk {
    private final Path directory;
    private final long reserveBytes;
    private final Map<Path, Long> promised = new ConcurrentHashMap<>();

    /// Lets an image grow to its full size until it is closed.
    public interface Promise extends AutoCloseable {
        @Override
        void close();
    }

    /// @param directory on the disk the images are on
    /// @param reserveBytes that stay free whatever is promised
    public HostDisk(Path directory, long reserveBytes) {
        if (reserveBytes < 0) {
            throw new IllegalArgumentException("a reserve cannot be negative");
        }
        this.directory = directory;
        this.reserveBytes = reserveBytes;
    }

    /// What the disk has left now.
    public long freeBytes() {
        try {
            return Files.getFileStore(directory).getUsableSpace();
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot look at the disk of " + directory, failed);
        }
    }

    /// What may still be promised; negative when the disk was filled by others.
    public long availableBytes() {
        long outstanding =
                promised.entrySet().stream()
                        .mapToLong(entry -> outstanding(entry.getKey(), entry.getValue()))
                        .sum();
        return freeBytes() - reserveBytes - outstanding;
    }

    /// Why images cannot be kept here, and what to do about it.
    public Optional<String> missing(long imageBytes) {
        return availableBytes() >= imageBytes
                ? Optional.empty()
                : Optional.of(
                        "The disk of %s has no room for one workspace of %d bytes beside the reserve of %d: free some, or lower either."
                                .formatted(directory, imageBytes, reserveBytes));
    }

    /// Promises an image the room to grow to a size.
    ///
    /// @throws Refusal `NO_CAPACITY` when the disk cannot keep the promise
    public synchronized Promise promise(Path image, long bytes) {
        if (promised.containsKey(image)) {
            throw new IllegalStateException(image + " has been promised its room already");
        }
        if (outstanding(image, bytes) > availableBytes()) {
            throw new Refusal(
                    Reason.NO_CAPACITY,
                    "The server's disk cannot hold another workspace now: try again when others are done, or free space on the server.");
        }
        promised.put(image, bytes);
        return () -> promised.remove(image);
    }

    /// What is in the image already is not free any more, and is not counted twice.
    private static long outstanding(Path image, long bytes) {
        if (!Files.exists(image)) {
            return bytes;
        }
        try (var arena = Arena.ofConfined()) {
            return Math.max(0, bytes - new Kernel(arena).allocatedBytes(image.toString()));
        }
    }
}
