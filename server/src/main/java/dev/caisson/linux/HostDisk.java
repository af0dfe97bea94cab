package dev.caisson.linux;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// Keeps the disk under the images from filling up. An image is sparse: it takes what is in it, and
/// may grow to its size while it is mounted. What mounted images may still grow by is promised, and
/// a promise is made only when the free space covers it and all others, less a reserve.
public final class HostDisk {
    /// For what the server itself must still be able to write.
    public static final long RESERVE_DEFAULT = 512L << 20;

    private final Path directory;
    private final long reserveBytes;
    private final Duration patience;
    private final Map<Path, Long> promised = new ConcurrentHashMap<>();

    /// Lets an image grow to its full size until it is closed.
    public interface Promise extends AutoCloseable {
        @Override
        void close();
    }

    /// @param directory on the disk the images are on
    /// @param reserveBytes that stay free whatever is promised
    public HostDisk(Path directory, long reserveBytes) {
        this(directory, reserveBytes, Duration.ZERO);
    }

    /// @param patience how long to wait for others to be done before a promise is refused
    public HostDisk(Path directory, long reserveBytes, Duration patience) {
        if (reserveBytes < 0) {
            throw new IllegalArgumentException("a reserve cannot be negative");
        }
        this.directory = directory;
        this.reserveBytes = reserveBytes;
        this.patience = patience;
    }

    /// What the disk has left now; nothing when it cannot be looked at.
    public long freeBytes() {
        return directory.toFile().getUsableSpace();
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
        awaitRoom(image, bytes);
        return promiseNow(image, bytes)
                .orElseThrow(() ->
                        new Refusal(
                                Reason.NO_CAPACITY,
                                "The server's disk cannot hold another workspace now: try again when others are done, or free space on the server."));
    }

    /// The same without waiting; empty when the disk cannot keep the promise.
    public synchronized Optional<Promise> promiseNow(Path image, long bytes) {
        if (promised.containsKey(image)) {
            throw new IllegalStateException(image + " has been promised its room already");
        }
        if (outstanding(image, bytes) > availableBytes()) {
            return Optional.empty();
        }
        promised.put(image, bytes);
        return Optional.of(() -> release(image));
    }

    private synchronized void release(Path image) {
        promised.remove(image);
        notifyAll();
    }

    /// Waits only while somebody else could make room by ending.
    private void awaitRoom(Path image, long bytes) {
        long end = System.nanoTime() + patience.toNanos();
        try {
            while (outstanding(image, bytes) > availableBytes() && !promised.isEmpty()) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    return;
                }
                wait(left);
            }
        } catch (InterruptedException cancelled) {
            Thread.currentThread().interrupt();
        }
    }

    /// What is in the image already is not free any more, and is not counted twice. An image may
    /// come, move and go at any moment.
    private static long outstanding(Path image, long bytes) {
        try (var arena = Arena.ofConfined()) {
            return Math.max(0, bytes - new Kernel(arena).allocatedBytes(image.toString()));
        } catch (KernelException failed) {
            if (failed.errno() == Errno.ENOENT) {
                return bytes;
            }
            throw failed;
        }
    }
}
