package dev.caisson.executions;

import dev.caisson.call.Durable;
import dev.caisson.share.Glances;
import dev.caisson.store.Journal;
import dev.caisson.workflow.StoredProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Write-behind buffer of executions, which begin and end before they are in the database: until
/// then [StartJournal] have their beginnings, which outlive this process, and the [Journal] their
/// ends, which outlive the machine too. One that ends soon is written once, as it ended; one that
/// does not is written as it began, after a moment.
final class RunStarts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunStarts.class);

    /// What is written here was not taken for lost.
    private static final EndTransition NEVER =
            EndTransition.of(Completion.without(ExecutionStatus.FAILED, ""), Optional.empty(), 0);

    /// Longer than a short program takes.
    static final Duration LATER = Duration.ofMillis(100);

    private final StoredProcesses processes;
    private final Path directory;
    private final StartJournal notes;
    private final Journal journal;
    private final JournaledRuns kind;
    private final Map<String, Noted> underWay = new ConcurrentHashMap<>();

    /// Ends on their way to the database, which has their beginnings.
    private final Map<String, EndTransition> ending = new ConcurrentHashMap<>();

    /// Whether the database took what it was last given.
    private volatile boolean trusted = true;

    private volatile boolean closed;

    /// @param journal which knows the kind [JournaledRuns]
    RunStarts(StoredProcesses processes, Path directory, Journal journal) {
        this.processes = processes;
        this.directory = directory;
        this.notes = StartJournal.create(directory);
        this.journal = journal;
        this.kind = new JournaledRuns(processes, NEVER);
    }

    /// Gives an end to what processes left that ended themselves. What cannot be read or written
    /// stays where it is.
    ///
    /// @return how many
    int endLeft(EndTransition end) {
        int ended = 0;
        for (var left : StartJournal.left(directory)) {
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

    private boolean endLeft(byte[] form, EndTransition end) {
        try {
            ending(RunStart.read(form), end).await();
            return true;
        } catch (RuntimeException failed) {
            LOG.error("the start of an execution could not be recovered", failed);
            return false;
        }
    }

    /// One that is in the database too is moved there, unless it has ended.
    private Durable ending(RunStart beginning, EndTransition end) {
        return processes.moveSoon(
                beginning.birth(),
                end.step(),
                (handle, _) -> ExecutionRows.insert(handle, beginning, Optional.of(end)),
                end.effect());
    }

    /// One that finds no room, or comes when the database fails, waits for the database.
    StartTicket begin(RunStart beginning) {
        var slot =
                trusted && journal.isTrusted() && !closed
                        ? notes.put(beginning.form())
                        : OptionalInt.empty();
        if (slot.isEmpty()) {
            return direct(beginning);
        }
        var noted = new Noted(beginning, slot.getAsInt());
        underWay.put(beginning.id(), noted);
        noted.keepLater();
        return noted;
    }

    /// One that waits for the database.
    StartTicket direct(RunStart beginning) {
        var start = processes.startLater(beginning.birth(), beginning.effect());
        start.then(durable -> trusted = durable);
        return StartTicket.when(start);
    }

    Durable end(String id, EndTransition end) {
        var noted = underWay.get(id);
        return noted == null ? endKept(id, end) : noted.end(end);
    }

    /// Of one whose beginning the database has.
    private Durable endKept(String id, EndTransition end) {
        ending.put(id, end);
        var run = new EndedRun(id, Optional.empty(), end);
        return journal.append(kind, run, () -> ending.remove(id))
                .orElseGet(() -> {
                    var written = processes.moveSoon(id, end.step(), end.effect());
                    written.then(_ -> ending.remove(id));
                    return written;
                });
    }

    /// The newest that is not in the database yet.
    Optional<ExecutionRecord> find(Predicate<RunStart> which) {
        return underWay.values().stream()
                .filter(noted -> which.test(noted.beginning))
                .max(Comparator.comparingLong(noted -> noted.beginning.at()))
                .map(Noted::record);
    }

    /// The output of one that is not in the database yet.
    Optional<byte[]> output(String owner, String id) {
        return Optional.ofNullable(underWay.get(id))
                .filter(noted -> noted.beginning.owner().equals(owner))
                .flatMap(Noted::ended)
                .flatMap(EndTransition::output);
    }

    /// Whether the end of one is on its way to the database, which has its beginning.
    boolean ends(String id) {
        return ending.containsKey(id);
    }

    /// Has the beginnings of all in the database, or in the journal with their ends.
    void keepAll() {
        underWay.values().stream().map(Noted::keep).toList().forEach(Durable::await);
    }

    private final class Noted implements StartTicket {
        private final RunStart beginning;
        private final int slot;

        /// Has it kept when it does not end soon.
        private Optional<Glances.Watch> alarm = Optional.empty();

        /// On its way to the database.
        private Optional<Durable> kept = Optional.empty();

        private volatile Optional<EndTransition> ended = Optional.empty();

        /// Where the journal has all of it.
        private Optional<Durable> journaled = Optional.empty();

        private boolean settled;

        Noted(RunStart beginning, int slot) {
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

        /// Most have ended before it comes to that.
        private synchronized void keepLater() {
            alarm = Optional.of(Glances.every(LATER, this::keepOnce));
        }

        private void keepOnce() {
            calm();
            // What could not be written at the end is for the next start alone.
            if (!closed) {
                keep();
            }
        }

        private synchronized void calm() {
            alarm.ifPresent(Glances.Watch::close);
            alarm = Optional.empty();
        }

        Optional<EndTransition> ended() {
            return ended;
        }

        ExecutionRecord record() {
            var running = beginning.record();
            return ended.map(running::ended).orElse(running);
        }

        /// Never fails: its end will be written, with its beginning.
        private synchronized Durable keep() {
            return settled || journaled.isPresent()
                    ? Durable.NOW
                    : kept.orElseGet(() -> onItsWay(start()));
        }

        private Durable start() {
            try {
                return processes.startSoon(
                        beginning.birth(), beginning.effect(), () -> ended.isEmpty());
            } catch (RuntimeException refused) {
                return Durable.failed(refused);
            }
        }

        /// May be called again, when the end before could not be written.
        synchronized Durable end(EndTransition end) {
            calm();
            if (settled) {
                return endKept(beginning.id(), end);
            }
            if (journaled.isEmpty()) {
                ended = Optional.of(end);
                journaled = journal.append(kind, EndedRun.whole(beginning, end), this::written);
                if (journaled.isEmpty()) {
                    return onItsWay(ending(beginning, end));
                }
                notes.clear(slot);
            }
            return journaled.get();
        }

        /// The database has it from the journal.
        private synchronized void written() {
            settled = true;
            underWay.remove(beginning.id());
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
            if (durable && !settled && journaled.isEmpty()) {
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
                LOG.warn("an execution could not be written; the next start will write it", failed);
            }
        }
        notes.close();
    }
}
