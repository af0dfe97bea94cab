package dev.caisson.executions;

import dev.caisson.call.Durable;
import dev.caisson.workflow.StoredProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets executions begin before they are in the database: until then [Notes] have them, which
/// outlive this process. One that ends soon is written once, as it ended; one that does not is
/// written as it began, after a moment or when somebody waits for it.
final class Beginnings implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Beginnings.class);

    /// Longer than a short program takes.
    private static final Duration LATER = Duration.ofMillis(25);

    private final StoredProcesses processes;
    private final Notes notes;
    private final Map<String, Noted> underWay = new ConcurrentHashMap<>();

    /// Whether the database took what it was last given.
    private volatile boolean trusted = true;

    private Beginnings(StoredProcesses processes, Notes notes) {
        this.processes = processes;
        this.notes = notes;
    }

    /// Those that processes which ended have left get their end first.
    static Beginnings open(StoredProcesses processes, Path directory, Completion left) {
        Notes.left(directory).forEach(notes -> settle(processes, notes, End.of(left)));
        return new Beginnings(processes, Notes.create(directory));
    }

    private static void settle(StoredProcesses processes, Notes notes, End end) {
        for (var form : notes.all()) {
            var beginning = Beginning.read(form);
            LOG.info("execution {} was under way when its server ended", beginning.id());
            end(processes, beginning, end).await();
        }
        notes.remove();
    }

    private static Durable end(StoredProcesses processes, Beginning beginning, End end) {
        return processes.moveSoon(
                beginning.birth(),
                end.step(),
                (handle, _) -> ExecutionRows.insert(handle, beginning, end.bytes()),
                end.effect());
    }

    /// One that finds no room, or comes when the database fails, waits for the database.
    Begun begin(Beginning beginning) {
        var slot = trusted ? notes.put(beginning.form()) : OptionalInt.empty();
        if (slot.isEmpty()) {
            var start = processes.startLater(beginning.birth(), beginning.effect());
            start.then(durable -> trusted = durable);
            return Begun.when(start);
        }
        var noted = new Noted(beginning, slot.getAsInt());
        underWay.put(beginning.id(), noted);
        Thread.ofVirtual().start(noted::keepLater);
        return noted;
    }

    Durable end(String id, End end) {
        var noted = underWay.get(id);
        return noted == null ? processes.moveSoon(id, end.step(), end.effect()) : noted.end(end);
    }

    private final class Noted implements Begun {
        private final Beginning beginning;
        private final int slot;
        private Optional<Durable> kept = Optional.empty();
        private boolean settled;

        Noted(Beginning beginning, int slot) {
            this.beginning = beginning;
            this.slot = slot;
        }

        @Override
        public void awaitNoted() {
            // It was written when this was made.
        }

        @Override
        public void awaitKept() {
            keep().await();
        }

        void keepLater() {
            try {
                Thread.sleep(LATER);
                keep();
            } catch (InterruptedException | RuntimeException failed) {
                // Its note is there, and its end will be written with it.
                LOG.debug("the beginning of {} cannot be written", beginning.id(), failed);
            }
        }

        private synchronized Durable keep() {
            if (settled) {
                return Durable.NOW;
            }
            if (kept.isEmpty()) {
                kept =
                        Optional.of(
                                settling(
                                        processes.startSoon(
                                                beginning.birth(), beginning.effect())));
            }
            return kept.get();
        }

        /// It may be tried again.
        synchronized Durable end(End end) {
            var ended = settling(Beginnings.end(processes, beginning, end));
            kept = Optional.of(ended);
            return ended;
        }

        private Durable settling(Durable durable) {
            durable.then(this::settle);
            return durable;
        }

        /// While nothing can be written its note stays.
        private synchronized void settle(boolean durable) {
            trusted = durable;
            if (durable && !settled) {
                settled = true;
                underWay.remove(beginning.id());
                notes.clear(slot);
            }
        }
    }

    /// What cannot be written is left for the next start. To be called before the store is closed.
    @Override
    public void close() {
        try {
            underWay.values().forEach(Noted::awaitKept);
        } catch (RuntimeException failed) {
            LOG.warn("executions could not be written; the next start will", failed);
        }
        notes.close();
    }
}
