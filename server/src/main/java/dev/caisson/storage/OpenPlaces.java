package dev.caisson.storage;

import dev.caisson.linux.Room;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/// Workspaces that are open now, each once, however many use it: a run and those who read its files
/// share one, and so does a session that stays between runs. The last one who leaves closes it.
final class OpenPlaces {
    private static final class Place {
        final ReentrantLock lock = new ReentrantLock();
        final ReentrantLock changes = new ReentrantLock();
        Optional<WorkspaceMaker.Opened> opened = Optional.empty();
        int users;

        /// Those who use it or are about to; guarded by the map.
        int interested;
    }

    private final WorkspaceMaker maker;
    private final Map<Path, Place> places = new HashMap<>();

    OpenPlaces(WorkspaceMaker maker) {
        this.maker = maker;
    }

    /// One use of an open workspace.
    interface Use extends AutoCloseable {
        WorkspaceMaker.Opened opened();

        /// Held by whoever changes files of it through the server.
        Lock changes();

        /// Another use of the same, to be closed by itself.
        Use again();

        @Override
        void close();
    }

    /// @param directory where it is kept
    Use use(Path directory) throws IOException {
        var place = interest(directory);
        try {
            return new OneUse(place, directory, enter(place, directory));
        } catch (IOException | RuntimeException failed) {
            lose(place, directory);
            throw failed;
        }
    }

    private final class OneUse implements Use {
        private final Place place;
        private final Path directory;
        private final WorkspaceMaker.Opened opened;
        private final AtomicBoolean left = new AtomicBoolean();

        OneUse(Place place, Path directory, WorkspaceMaker.Opened opened) {
            this.place = place;
            this.directory = directory;
            this.opened = opened;
        }

        @Override
        public WorkspaceMaker.Opened opened() {
            return opened;
        }

        @Override
        public Lock changes() {
            return place.changes;
        }

        @Override
        public Use again() {
            try {
                return use(directory);
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

    /// How full a workspace is, open or not.
    Room room(Path directory) throws IOException {
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
    interface Act {
        void run() throws IOException;
    }

    /// Does something with the directory of a workspace that nobody uses, and lets nobody use it
    /// meanwhile.
    ///
    /// @return false when somebody uses it, and nothing was done
    boolean alone(Path directory, Act act) throws IOException {
        var place = new Place();
        place.lock.lock();
        try {
            synchronized (places) {
                if (places.putIfAbsent(directory, place) != null) {
                    return false;
                }
                place.interested = 1;
            }
            try {
                act.run();
            } finally {
                lose(place, directory);
            }
            return true;
        } finally {
            place.lock.unlock();
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
            if (--place.interested == 0) {
                places.remove(directory);
            }
        }
    }

    private WorkspaceMaker.Opened enter(Place place, Path directory) throws IOException {
        place.lock.lock();
        try {
            if (place.opened.isEmpty()) {
                place.opened = Optional.of(maker.open(directory));
            } else {
                Roots.reopen(place.opened.get().root());
            }
            place.users++;
            return place.opened.get();
        } finally {
            place.lock.unlock();
        }
    }

    private void leave(Place place, Path directory) {
        place.lock.lock();
        try {
            if (--place.users == 0) {
                var last = place.opened.orElseThrow();
                place.opened = Optional.empty();
                last.close();
            }
        } finally {
            place.lock.unlock();
            lose(place, directory);
        }
    }
}
