package dev.caisson.executions;

import dev.caisson.call.Durable;
import dev.caisson.workflow.StoredProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets executions begin before they are in the database: until then [Notes] have them, which
/// outlive this process. One that ends soon is written once, as it ended; one that does not is
/// written as it began, after a moment.
final class Beginnings implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Beginnings.class);

    /// Longer than a short program takes.
    private static final Duration LATER = Duration.ofMillis(25);

    private final StoredProcesses processes;
    private final Path directory;
    private final Notes notes;
    private final Map<String, Noted> underWay = new ConcurrentHashMap<>();

    /// Whether the database took what it was last given.
    private volatile boolean trusted = true;

    private volatile boolean closed;

    Beginnings(StoredProcesses processes, Path directory) {
        this.processes = processes;
        this.directory = directory;
        this.notes = Notes.create(directory);
    }

    /// Gives an end to what processes left that ended themselves. What cannot be read or written
    /// stays where it is.
    ///
    /// @return how many
    int endLeft(End end) {
        int ended = 0;
        for (var left : Notes.left(directory)) {
            try (left) {
                for (var note : left.all().entrySet()) {
                    if (endLeft(note.getValue(), end)) {
                        left.clear(note.getKey());
                        ended++;
                    }
                }
            }
        }
        return ended;
    }

    private boolean endLeft(byte[] form, End end) {
        try {
            ending(Beginning.read(form), end).await();
            return true;
        } catch (RuntimeException failed) {
            LOG.error("the beginning of an execution was left and cannot be recorded", failed);
            return false;
        }
    }

    /// One that is in the database too is moved there, unless it has ended.
    private Durable ending(Beginning beginning, End end) {
        return processes.moveSoon(
                beginning.birth(),
                end.step(),
                (handle, _) -> ExecutionRows.insert(handle, beginning, Optional.of(end)),
                end.effect());
    }

    /// One that finds no room, or comes when the database fails, waits for the database.
    Begun begin(Beginning beginning) {
        var slot = trusted && !closed ? notes.put(beginning.form()) : OptionalInt.empty();
        if (slot.isEmpty()) {
            return direct(beginning);
        }
        var noted = new Noted(beginning, slot.getAsInt());
        underWay.put(beginning.id(), noted);
        Thread.ofVirtual().start(noted::keepLater);
        return noted;
    }

    /// One that waits for the database.
    Begun direct(Beginning beginning) {
        var start = processes.startLater(beginning.birth(), beginning.effect());
        start.then(durable -> trusted = durable);
        return Begun.when(start);
    }

    Durable end(String id, End end) {
        var noted = underWay.get(id);
        return noted == null ? processes.moveSoon(id, end.step(), end.effect()) : noted.end(end);
    }

    /// One that is not in the database yet.
    Optional<ExecutionRecord> find(Predicate<Beginning> which) {
        return underWay.values().stream()
                .map(noted -> noted.beginning)
                .filter(which)
                .map(Beginning::record)
                .findFirst();
    }

    private final class Noted implements Begun {
        private final Beginning beginning;
        private final int slot;

        /// On its way to the database.
        private Optional<Durable> kept = Optional.empty();

        private boolean settled;

        Noted(Beginning beginning, int slot) {
            this.beginning = beginning;
            this.slot = slot;
        }

        @Override
        public void awaitNoted() {
            // It was when this was made.
        }

        /// Has it tried again if it failed.
        @Override
        public boolean isKept() {
            keep();
            return isSettled();
        }

        private void keepLater() {
            try {
                Thread.sleep(LATER);
                // What could not be written at the end is for the next start alone.
                if (!closed) {
                    keep();
                }
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }

        /// Never fails: its end will be written, with its beginning.
        private synchronized Durable keep() {
            return settled ? Durable.NOW : kept.orElseGet(() -> onItsWay(start()));
        }

        private Durable start() {
            try {
                return processes.startSoon(beginning.birth(), beginning.effect());
            } catch (RuntimeException refused) {
                return Durable.failed(refused);
            }
        }

        /// May be called again, when the end before could not be written.
        synchronized Durable end(End end) {
            return onItsWay(ending(beginning, end));
        }

        private Durable onItsWay(Durable durable) {
            kept = Optional.of(durable);
            durable.then(this::settle);
            return durable;
        }

        /// While nothing can be written its note stays.
        private synchronized void settle(boolean durable) {
            trusted = durable;
            kept = Optional.empty();
            if (durable && !settled) {
                settled = true;
                underWay.remove(beginning.id());
                notes.clear(slot);
            }
        }

        private synchronized boolean isSettled() {
            return settled;
        }
    }

    /// What cannot be written is left for the next start. To be called before the store is closed.
    @Override
    public void close() {
        closed = true;
        for (var noted : underWay.values()) {
            try {
                noted.keep().await();
            } catch (RuntimeException failed) {
                LOG.warn("an execution cannot be written; the next start will", failed);
            }
        }
        notes.close();
    }
}
