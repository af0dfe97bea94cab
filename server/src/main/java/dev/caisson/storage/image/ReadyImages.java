package dev.caisson.storage.image;

import dev.caisson.linux.HostDisk;
import dev.caisson.linux.Mount;
import dev.caisson.storage.HashedNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// New workspaces, made and mounted before anybody asks, and used ones that are closed after the
/// answer. Whoever gets one moves it to its place, mounted as it is, or uses it where it is and has
/// it discarded.
///
/// New ones are made on one thread, and used ones closed on others, for what a program left to be
/// written takes its time. When they cannot keep up, whoever asks does it himself, as if there were
/// nothing here.
public final class ReadyImages implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReadyImages.class);

    private static final Duration RESPITE = Duration.ofMillis(25);

    /// How many used ones may wait to be closed.
    private static final int CLOSING_MAX = 64;

    private static final int CLOSERS = 2;

    /// So many wait for callers who have none.
    private static final int RESERVED = 1;

    private final Path directory;
    private final int count;
    private final Maker maker;
    private final ExecutorService worker =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().name("workspaces").daemon().factory());
    private final ExecutorService closers =
            Executors.newFixedThreadPool(
                    CLOSERS, Thread.ofPlatform().name("workspaces-", 0).daemon().factory());
    private final Semaphore closingRoom = new Semaphore(CLOSING_MAX);
    private final Map<Path, CompletableFuture<Boolean>> closing = new ConcurrentHashMap<>();
    private final Deque<Ready> ready = new ArrayDeque<>();
    private long made;
    private boolean asked;
    private boolean closed;

    /// Makes and mounts a new image, if there is room for it.
    public interface Maker {
        Optional<Ready> make(Path image) throws IOException;
    }

    /// @param promise of room for it, which is bound to where it is now
    public record Ready(Path image, Mount mount, HostDisk.Promise promise) {
        public void discard() {
            var device = DiskRelease.watch(image, this::delete, promise);
            DiskRelease.after(this::delete, device, promise);
        }

        private void delete() {
            mount.close();
            try {
                Files.deleteIfExists(image);
            } catch (IOException failed) {
                LOG.warn("an image is left for the next start", failed);
            }
        }
    }

    /// @param directory of this server alone, on the disk the workspaces are on
    /// @param count how many are kept
    public ReadyImages(Path directory, int count, Maker maker) {
        this.directory = directory;
        this.count = count;
        this.maker = maker;
        worker.execute(this::refill);
    }

    /// One that is ready; empty when none is.
    ///
    /// @param busy whether the caller has others: the last are for those who have none
    public Optional<Ready> take(boolean busy) {
        Optional<Ready> taken;
        synchronized (this) {
            taken =
                    busy && ready.size() <= RESERVED
                            ? Optional.empty()
                            : Optional.ofNullable(ready.pollFirst());
        }
        askForMore();
        return taken;
    }

    private void askForMore() {
        boolean first;
        synchronized (this) {
            first = !asked && !closed && ready.size() < count;
            asked = asked || first;
        }
        if (first) {
            later(worker, this::refill);
        }
    }

    /// Gives back those that wait, for somebody who needs the room.
    public void drain() {
        Deque<Ready> all;
        synchronized (this) {
            all = new ArrayDeque<>(ready);
            ready.clear();
        }
        all.forEach(Ready::discard);
    }

    private void refill() {
        try {
            awaitRespite();
            for (var next = next(); next.isPresent(); next = next()) {
                var fresh = maker.make(next.get());
                if (fresh.isEmpty()) {
                    return;
                }
                add(fresh.get());
            }
        } catch (IOException | RuntimeException failed) {
            LOG.warn("a workspace could not be made ahead", failed);
        }
    }

    /// After one was taken the next is not made for a moment, if there is another: the run that
    /// took it has the processor to itself.
    private synchronized void awaitRespite() {
        long end = System.nanoTime() + RESPITE.toNanos();
        try {
            for (long left = RESPITE.toMillis();
                    !closed && !ready.isEmpty() && left > 0;
                    left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())) {
                wait(left);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        asked = false;
    }

    private synchronized Optional<Path> next() throws IOException {
        if (closed || ready.size() >= count) {
            return Optional.empty();
        }
        HashedNames.privateDirectory(directory);
        return Optional.of(directory.resolve(made++ + ".img"));
    }

    private void add(Ready fresh) {
        synchronized (this) {
            if (!closed) {
                ready.addLast(fresh);
                return;
            }
        }
        fresh.discard();
    }

    /// Closes a used one after the answer, or now when too many wait for that. It leaves its room
    /// to those there was none for.
    ///
    /// @param image it is kept in
    public void close(Path image, Runnable used) {
        if (!closingRoom.tryAcquire()) {
            used.run();
            return;
        }
        var done = new CompletableFuture<Boolean>();
        closing.put(image, done);
        later(
                closers,
                () -> {
                    try {
                        used.run();
                    } finally {
                        closing.remove(image, done);
                        closingRoom.release();
                        done.complete(true);
                    }
                    askForMore();
                });
    }

    /// An image can be opened again only after it was closed.
    public void awaitClosed(Path image) {
        Optional.ofNullable(closing.get(image)).ifPresent(CompletableFuture::join);
    }

    private static void later(ExecutorService on, Runnable work) {
        try {
            on.execute(work);
        } catch (RejectedExecutionException ended) {
            work.run();
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        closers.close();
        worker.close();
        drain();
        try {
            Files.deleteIfExists(directory);
        } catch (IOException failed) {
            LOG.warn("{} is left for the next start", directory, failed);
        }
    }
}
