package dev.caisson.storage.image;

import dev.caisson.linux.DiskUsage;
import dev.caisson.sandbox.Workspace;
import dev.caisson.share.CallerWorkers;
import dev.caisson.storage.LastListing;
import dev.caisson.storage.WorkspaceMaker;
import dev.caisson.storage.change.ChangeJournal;
import dev.caisson.storage.tree.Roots;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/// Workspaces that are open now, each once, however many use it: a run and those who read its files
/// share one, and so does a session that stays between runs. When the last one has left it stays
/// open for a moment, for whoever comes next.
public final class OpenWorkspaces implements AutoCloseable {
    /// Less than the time for which another process waits for an image, so that it always gets it.
    static final Duration LINGER = Duration.ofMillis(1_500);

    /// How many may be open that nobody uses.
    static final int LINGERING_MAX = 32;

    private static final class Place {
        final ReentrantLock lock = new ReentrantLock();
        final LastListing changes = new LastListing();
        Optional<WorkspaceMaker.Opened> opened = Optional.empty();
        int users;

        /// How often the last user has left, to tell one leaving from the next.
        long leavings;

        /// Those who use it or are about to; guarded by the map.
        int interested;

        /// Whether it is open though nobody uses it; guarded by the map.
        boolean lingers;
    }

    private final WorkspaceMaker maker;
    private final Duration linger;
    private final Map<Path, Place> places = new HashMap<>();

    private int lingering;
    private boolean closed;

    public OpenWorkspaces(WorkspaceMaker maker) {
        this(maker, LINGER);
    }

    OpenWorkspaces(WorkspaceMaker maker, Duration linger) {
        this.maker = maker;
        this.linger = linger;
    }

    /// One use of an open workspace.
    public interface Use extends AutoCloseable {
        WorkspaceMaker.Opened opened();

        /// Held by whoever changes files of it through the server.
        LastListing changes();

        /// Another use of the same, to be closed by itself.
        Use again();

        @Override
        void close();
    }

    /// @param directory where it is kept
    /// @param holder who takes room on the disk for it, when it is not open yet
    public Use use(Path directory, String holder) throws IOException {
        var place = interest(directory);
        try {
            return new OneUse(place, directory, holder, enter(place, directory, holder));
        } catch (IOException | RuntimeException failed) {
            lose(place, directory);
            throw failed;
        }
    }

    private final class OneUse implements Use {
        private final Place place;
        private final Path directory;
        private final String holder;
        private final WorkspaceMaker.Opened opened;
        private final AtomicBoolean left = new AtomicBoolean();

        OneUse(Place place, Path directory, String holder, WorkspaceMaker.Opened opened) {
            this.place = place;
            this.directory = directory;
            this.holder = holder;
            this.opened = opened;
        }

        @Override
        public WorkspaceMaker.Opened opened() {
            return opened;
        }

        @Override
        public LastListing changes() {
            return place.changes;
        }

        @Override
        public Use again() {
            try {
                return use(directory, holder);
            } catch (IOException failed) {
                throw new UncheckedIOException("an open workspace cannot be shared", failed);
            }
        }

        @Override
        public void close() {
            if (left.compareAndSet(false, true)) {
                leave(place, directory);
            }
        }
    }

    /// How full a workspace is, open or not. It may wait for one that is just opened or closed, so
    /// it is not to be called on a thread that computes.
    ///
    /// @param computing for those whose files must be counted
    public DiskUsage room(Path directory, CallerWorkers computing) throws IOException {
        var counted = maker.counted(directory, computing);
        return counted.isPresent() ? counted.get() : known(directory);
    }

    private DiskUsage known(Path directory) throws IOException {
        var place = interest(directory);
        place.lock.lock();
        try {
            return place.opened.isPresent() ? place.opened.get().room() : maker.room(directory);
        } finally {
            place.lock.unlock();
            lose(place, directory);
        }
    }

    /// Something that is done with the directory of a workspace.
    @FunctionalInterface
    public interface Act {
        void run() throws IOException;
    }

    /// Does something with the directory of a workspace that nobody uses, and lets nobody use it
    /// meanwhile.
    ///
    /// @return false when somebody uses it, and nothing was done
    public boolean alone(Path directory, Act act) throws IOException {
        var place = interest(directory);
        place.lock.lock();
        try {
            if (!isOnlyOne(place)) {
                return false;
            }
            shut(place, directory);
            act.run();
            return true;
        } finally {
            place.lock.unlock();
            lose(place, directory);
        }
    }

    /// The same, and no other process has it open either.
    ///
    /// @throws dev.caisson.linux.LoopImages.InUse when one has
    public boolean aloneAnywhere(Path directory, Act act) throws IOException {
        return alone(directory, () -> maker.whileClosed(directory, act));
    }

    private boolean isOnlyOne(Place place) {
        synchronized (places) {
            return place.interested == 1;
        }
    }

    private Place interest(Path directory) {
        synchronized (places) {
            var place = places.computeIfAbsent(directory, _ -> new Place());
            place.interested++;
            return place;
        }
    }

    private void lose(Place place, Path directory) {
        synchronized (places) {
            if (--place.interested == 0 && !place.lingers) {
                places.remove(directory, place);
            }
        }
    }

    private WorkspaceMaker.Opened enter(Place place, Path directory, String holder)
            throws IOException {
        place.lock.lock();
        try {
            if (place.opened.isEmpty()) {
                place.opened = Optional.of(settled(maker.open(directory, holder), directory));
            } else {
                Roots.reopen(place.opened.get().root());
                endLingering(place);
            }
            place.users++;
            return place.opened.get();
        } finally {
            place.lock.unlock();
        }
    }

    /// Of what was broken off there nothing is left.
    private static WorkspaceMaker.Opened settled(WorkspaceMaker.Opened opened, Path directory)
            throws IOException {
        try {
            boolean alone = opened.workspace() instanceof Workspace.Image;
            new ChangeJournal(directory).recover(opened.root(), alone);
            return opened;
        } catch (IOException | RuntimeException failed) {
            opened.close();
            throw failed;
        }
    }

    private void leave(Place place, Path directory) {
        place.lock.lock();
        try {
            if (--place.users == 0) {
                if (mayLinger(place)) {
                    long leaving = ++place.leavings;
                    Thread.ofVirtual().start(() -> shutLater(place, directory, leaving));
                } else {
                    close(place);
                }
            }
        } finally {
            place.lock.unlock();
            lose(place, directory);
        }
    }

    private boolean mayLinger(Place place) {
        synchronized (places) {
            place.lingers = !closed && lingering < LINGERING_MAX;
            lingering += place.lingers ? 1 : 0;
            return place.lingers;
        }
    }

    /// @return whether it did
    private boolean endLingering(Place place) {
        synchronized (places) {
            var did = place.lingers;
            lingering -= did ? 1 : 0;
            place.lingers = false;
            return did;
        }
    }

    private void shutLater(Place place, Path directory, long leaving) {
        try {
            Thread.sleep(linger);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        place.lock.lock();
        try {
            if (place.leavings == leaving) {
                shut(place, directory);
            }
        } finally {
            place.lock.unlock();
        }
    }

    /// Closes one that lingers. Whoever calls has its lock.
    private void shut(Place place, Path directory) {
        if (endLingering(place)) {
            close(place);
            synchronized (places) {
                if (place.interested == 0) {
                    places.remove(directory, place);
                }
            }
        }
    }

    private static void close(Place place) {
        var last = place.opened.orElseThrow();
        place.opened = Optional.empty();
        place.changes.take();
        last.close();
    }

    /// Closes what nobody uses, and from now on whatever its last user leaves.
    @Override
    public void close() {
        Map<Path, Place> all;
        synchronized (places) {
            closed = true;
            all = Map.copyOf(places);
        }
        all.forEach((directory, place) -> {
            place.lock.lock();
            try {
                shut(place, directory);
            } finally {
                place.lock.unlock();
            }
        });
    }
}
