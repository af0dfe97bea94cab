package dev.caisson.storage;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Event publisher: tells listeners what happens to the files of a thread: uploads and deletions at
/// once, and what a run did when it is over. Only what this process does is told.
///
/// Nobody waits for a listener. What waits for one is bounded; when there is more, all of it is
/// replaced by one [FileEvent.Overflow].
public final class FileEvents {
    /// How many events wait for a listener.
    static final int WAITING_MAX = 1_000;

    /// How many characters their paths have together.
    static final int WAITING_CHARACTERS_MAX = 256 << 10;

    private final Map<String, Set<Listening>> byPlace = new ConcurrentHashMap<>();

    /// @param place of the thread, see [Threads#place]
    public Listening listen(String place) {
        var listening = new Listening(place);
        byPlace.compute(
                place,
                (_, all) -> {
                    var known = all == null ? ConcurrentHashMap.<Listening>newKeySet() : all;
                    known.add(listening);
                    return known;
                });
        return listening;
    }

    /// @param events made only when somebody listens
    public void announce(String place, Supplier<List<FileEvent>> events) {
        var listening = byPlace.getOrDefault(place, Set.of());
        if (!listening.isEmpty()) {
            var made = events.get();
            listening.forEach(each -> made.forEach(each::add));
        }
    }

    /// How many listen, for tests.
    int listening() {
        return byPlace.values().stream().mapToInt(Set::size).sum();
    }

    /// Somebody who listens, until it is closed.
    public final class Listening implements AutoCloseable {
        private final String place;
        private final Deque<FileEvent> waiting = new ArrayDeque<>();
        private int characters;
        private boolean closed;

        private Listening(String place) {
            this.place = place;
        }

        private synchronized void add(FileEvent event) {
            characters += characters(event);
            waiting.add(event);
            if (waiting.size() > WAITING_MAX || characters > WAITING_CHARACTERS_MAX) {
                waiting.clear();
                waiting.add(new FileEvent.Overflow());
                characters = 0;
            }
            notifyAll();
        }

        private static int characters(FileEvent event) {
            return switch (event) {
                case FileEvent.Changed changed -> changed.path().length();
                case FileEvent.Overflow _, FileEvent.ThreadDeleted _ -> 0;
            };
        }

        /// Waits for the next event, but not for longer than that.
        ///
        /// @return empty when there was none, or when it is closed
        public synchronized Optional<FileEvent> next(Duration atMost) throws InterruptedException {
            var deadline = System.nanoTime() + atMost.toNanos();
            var left = atMost.toNanos();
            while (waiting.isEmpty() && !closed && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = deadline - System.nanoTime();
            }
            var next = closed ? Optional.<FileEvent>empty() : Optional.ofNullable(waiting.poll());
            characters -= next.map(Listening::characters).orElse(0);
            return next;
        }

        public synchronized boolean isClosed() {
            return closed;
        }

        @Override
        public void close() {
            synchronized (this) {
                closed = true;
                notifyAll();
            }
            byPlace.computeIfPresent(
                    place,
                    (_, all) -> {
                        all.remove(this);
                        return all.isEmpty() ? null : all;
                    });
        }
    }
}
