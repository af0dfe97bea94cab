package dev.caisson.linux;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.linux.calls.Kernel;
import dev.caisson.share.FairQueue;
import dev.caisson.share.ShareLimit;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Guard of the host's disk, which keeps images from filling it up. An image is sparse: it takes
/// what is in it, and may grow to its size while it is mounted. What mounted images may still grow
/// by is promised, and a promise is made only when the free space covers it and all others, less a
/// reserve.
///
/// Callers divide the room by the rule of [ShareLimit]: a caller that has its part waits for its
/// own, and callers that wait take turns. A large wish of a caller that has nothing is not passed
/// over.
public final class HostDisk {
    /// For what the server itself must still be able to write.
    public static final long RESERVE_DEFAULT = 512L << 20;

    /// The holder of promises for images that are made ahead.
    public static final String NOBODY = "";

    private static final String OWN_SHARE =
            "This key has its share of the server's disk now: wait for one of its own runs to end, or end a session.";

    private static final String FULL =
            "The server's disk cannot hold another workspace now: try again when others are done, or free space on the server.";

    /// Others may free space without a word.
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    private final Path directory;
    private final long reserveBytes;
    private final Duration patience;
    private final ShareLimit part;
    private final Map<Path, Promised> promised = new ConcurrentHashMap<>();
    private final FairQueue<Wish> wishes = new FairQueue<>();

    private record Wish(Path image, long bytes, CompletableFuture<Promise> came) {}

    /// Lets an image grow to its full size until it is closed.
    public interface Promise extends AutoCloseable {
        /// From now on it counts to this caller's share.
        void passTo(String holder);

        /// Checks that the disk can still keep it: others may have filled it meanwhile.
        ///
        /// @throws Refusal `NO_CAPACITY` when it cannot
        void confirm();

        @Override
        void close();
    }

    /// @param directory on the disk the images are on
    /// @param reserveBytes that stay free whatever is promised
    public HostDisk(Path directory, long reserveBytes) {
        this(directory, reserveBytes, Duration.ZERO, ShareLimit.DEFAULT);
    }

    /// @param patience how long to wait for others to be done before a promise is refused
    /// @param part of the room that one caller may have
    public HostDisk(Path directory, long reserveBytes, Duration patience, ShareLimit part) {
        if (reserveBytes < 0) {
            throw new IllegalArgumentException("a reserve cannot be negative");
        }
        this.directory = directory;
        this.reserveBytes = reserveBytes;
        this.patience = patience;
        this.part = part;
    }

    /// What the disk has left now; nothing when it cannot be looked at.
    public long freeBytes() {
        return directory.toFile().getUsableSpace();
    }

    /// What may still be promised; negative when the disk was filled by others.
    public long availableBytes() {
        return mostBytes() - outstandingBytes();
    }

    /// What may be promised when nothing is.
    private long mostBytes() {
        return freeBytes() - reserveBytes;
    }

    private long outstandingBytes() {
        return promised.values().stream()
                .mapToLong(each -> outstanding(each.image, each.bytes))
                .sum();
    }

    /// Why images cannot be kept here, and what to do about it.
    public Optional<String> missing(long imageBytes) {
        return availableBytes() >= imageBytes
                ? Optional.empty()
                : Optional.of(
                        "The disk of %s has no room for one workspace of %d bytes beside the reserve of %d: free some, or lower either."
                                .formatted(directory, imageBytes, reserveBytes));
    }

    /// Promises an image the room to grow to a size, when its holder's turn has come, and whoever
    /// had the image before has let go of it.
    ///
    /// @throws Refusal `NO_CAPACITY` when the disk cannot keep the promise, or the holder has its
    ///   share
    public Promise promise(String holder, Path image, long bytes) {
        var wish = new Wish(image, bytes, new CompletableFuture<>());
        synchronized (this) {
            wishes.add(holder, wish);
            serve();
        }
        long end = System.nanoTime() + patience.toNanos();
        try {
            while (true) {
                long left = Math.min(end - System.nanoTime(), LOOK_AGAIN.toNanos());
                try {
                    return wish.came().get(Math.max(0, left), TimeUnit.NANOSECONDS);
                } catch (TimeoutException notYet) {
                    giveUpAfter(end, holder, wish);
                }
            }
        } catch (InterruptedException cancelled) {
            Thread.currentThread().interrupt();
            return withdraw(holder, wish).orElseThrow(() -> refusal(obstacle(holder)));
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /// Waits only while somebody could make room by ending.
    private synchronized void giveUpAfter(long end, String holder, Wish wish) {
        serve();
        boolean hopeless = promised.isEmpty() || System.nanoTime() - end >= 0;
        if (hopeless && withdraw(holder, wish).isEmpty()) {
            throw refusal(obstacle(holder));
        }
    }

    /// @return what came at the last moment
    private synchronized Optional<Promise> withdraw(String holder, Wish wish) {
        if (!wishes.remove(holder, wish)) {
            return Optional.of(wish.came().join());
        }
        serve();
        return Optional.empty();
    }

    synchronized int waiting() {
        return wishes.size();
    }

    private String obstacle(String holder) {
        return promisedBytes(holder) > 0 ? OWN_SHARE : FULL;
    }

    private Refusal refusal(String obstacle) {
        return new Refusal(
                Reason.NO_CAPACITY,
                obstacle,
                Map.of("share", "disk", "retry_after_seconds", patience.toSeconds() + 1));
    }

    /// Gives room to those who wait, in turns.
    private void serve() {
        while (true) {
            var next = wishes.takeNext(this::mayHave, this::isNext);
            if (next.isEmpty()) {
                return;
            }
            var wish = next.get().item();
            wish.came().complete(note(next.get().caller(), wish.image(), wish.bytes()));
        }
    }

    /// Whether what comes free is kept for a wish: its holder has nothing, and it fits once enough
    /// is given back. Otherwise smaller wishes could keep a large one waiting for ever.
    private boolean isNext(String holder, Wish wish) {
        return promisedBytes(holder) == 0
                && !promised.containsKey(wish.image())
                && outstanding(wish.image(), wish.bytes()) <= mostBytes();
    }

    private boolean mayHave(String holder, Wish wish) {
        long wanted = outstanding(wish.image(), wish.bytes());
        long left = availableBytes() - wanted;
        long own = promisedBytes(holder);
        return left >= 0
                && !promised.containsKey(wish.image())
                && (own == 0 || part.allows(own + wish.bytes(), left));
    }

    /// What a caller has been promised, and not given back.
    public long promisedBytes(String holder) {
        return promised.values().stream()
                .filter(each -> each.holder.equals(holder))
                .mapToLong(each -> each.bytes)
                .sum();
    }

    /// The same without waiting, for what nobody asked for; empty when the disk cannot keep the
    /// promise, or somebody waits for one.
    public synchronized Optional<Promise> promiseNow(Path image, long bytes) {
        if (promised.containsKey(image)) {
            throw new IllegalStateException(image + " has been promised its room already");
        }
        return wishes.size() > 0 || outstanding(image, bytes) > availableBytes()
                ? Optional.empty()
                : Optional.of(note(NOBODY, image, bytes));
    }

    private Promise note(String holder, Path image, long bytes) {
        var made = new Promised(holder, image, bytes);
        promised.put(image, made);
        return made;
    }

    /// A promise that is closed again does not end the next one for the same image: each is equal
    /// to itself alone.
    private final class Promised implements Promise {
        private final Path image;
        private final long bytes;
        private volatile String holder;

        Promised(String holder, Path image, long bytes) {
            this.holder = holder;
            this.image = image;
            this.bytes = bytes;
        }

        @Override
        public void passTo(String other) {
            holder = other;
        }

        @Override
        public void confirm() {
            if (outstanding(image, bytes) > freeBytes()) {
                throw refusal(FULL);
            }
        }

        @Override
        public void close() {
            release(this);
        }
    }

    private synchronized void release(Promised over) {
        if (promised.remove(over.image, over)) {
            serve();
        }
    }

    /// What is in the image already is not free any more, and is not counted twice. An image may
    /// come, move and go at any moment; one that cannot be looked at counts whole.
    private static long outstanding(Path image, long bytes) {
        try (var arena = Arena.ofConfined()) {
            return Math.max(0, bytes - new Kernel(arena).allocatedBytes(image.toString()));
        } catch (KernelException absent) {
            return bytes;
        }
    }
}
