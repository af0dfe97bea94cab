package dev.caisson.storage.thread;

import dev.caisson.call.Caller;
import dev.caisson.call.Refusal;
import dev.caisson.linux.LoopImages;
import dev.caisson.storage.FileEvent;
import dev.caisson.storage.FileEvents;
import dev.caisson.storage.HashedNames;
import dev.caisson.storage.ThreadRegistry;
import dev.caisson.storage.image.OpenWorkspaces;
import dev.caisson.storage.image.TemporaryWorkspaces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removal of threads with all their files: put aside in one step, then erased.
public final class ThreadRemoval {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadRemoval.class);

    /// How long a deletion waits for those who are done with the files.
    private static final Duration LET_GO_MAX = Duration.ofSeconds(1);

    private static final Duration LET_GO_LOOK = Duration.ofMillis(20);

    private final Path threads;
    private final TemporaryWorkspaces temporary;
    private final OpenWorkspaces places;
    private final ThreadIndex index;
    private final Writers writers;
    private final FileEvents events;
    private final ThreadRegistry registry;

    /// @param threads the directory of their directories
    public ThreadRemoval(
            Path threads,
            TemporaryWorkspaces temporary,
            OpenWorkspaces places,
            ThreadIndex index,
            Writers writers,
            FileEvents events,
            ThreadRegistry registry) {
        this.threads = threads;
        this.temporary = temporary;
        this.places = places;
        this.index = index;
        this.writers = writers;
        this.events = events;
        this.registry = registry;
    }

    /// Removes a thread with all its files.
    ///
    /// @throws Refusal NOT_FOUND when the caller has no such thread, CONFLICT when it is in use
    public void delete(Caller caller, String threadId) throws InterruptedException {
        var name = HashedNames.directoryName(caller, threadId);
        writers.enter(name, Writers.DELETION, Duration.ZERO);
        try {
            var directory = threads.resolve(name);
            if (Files.notExists(directory)) {
                forgetLost(caller, threadId);
                return;
            }
            var removed = temporary.freshPlace();
            if (!putAsideAlone(directory, removed)) {
                throw ThreadRefusals.filesInUse();
            }
            index.remove(caller, threadId);
            events.announce(name, () -> List.of(new FileEvent.ThreadDeleted()));
            TemporaryWorkspaces.erase(removed);
            forgetGone(name);
        } catch (LoopImages.InUse e) {
            throw ThreadRefusals.usedElsewhere();
        } catch (IOException e) {
            throw new UncheckedIOException("a thread cannot be deleted", e);
        } finally {
            writers.leave(name);
        }
    }

    /// Deletes what is known of a thread without files.
    private void forgetLost(Caller caller, String threadId) throws IOException {
        var name = HashedNames.directoryName(caller, threadId);
        if (!registry.isKnown(name)) {
            throw ThreadRefusals.absent();
        }
        registry.remove(name);
        index.remove(caller, threadId);
    }

    /// Who has read an answer to its end has it a moment before the server lets go of the files.
    ///
    /// @return false when somebody goes on using them
    private boolean putAsideAlone(Path directory, Path removed)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + LET_GO_MAX.toNanos();
        while (!places.aloneAnywhere(directory, () -> putAside(directory, removed))) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            Thread.sleep(LET_GO_LOOK);
        }
        return true;
    }

    /// It is forgotten first, for its files are not lost; where the disk is too full for that, when
    /// they are gone.
    private void putAside(Path directory, Path removed) throws IOException {
        if (Files.exists(directory)) {
            try {
                registry.remove(String.valueOf(directory.getFileName()));
            } catch (Refusal full) {
                LOG.debug("a thread is forgotten once its files are gone", full);
            }
            Files.move(directory, removed, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /// One that could not be forgotten before. One that was made anew since stays known: nobody
    /// makes it while this looks.
    private void forgetGone(String name) throws IOException {
        if (registry.isKnown(name)) {
            var directory = threads.resolve(name);
            places.alone(
                    directory,
                    () -> {
                        if (Files.notExists(directory)) {
                            registry.remove(name);
                        }
                    });
        }
    }

    /// Removes a thread whose workspace could not be made, such as on a full disk. Its writer asks.
    ///
    /// @param isMade by the directory of the thread
    public void removeUnmade(Caller caller, String threadId, Predicate<Path> isMade) {
        var name = HashedNames.directoryName(caller, threadId);
        var directory = threads.resolve(name);
        try {
            places.alone(
                    directory,
                    () -> {
                        if (!isMade.test(directory) && !registry.isKnown(name)) {
                            var removed = temporary.freshPlace();
                            Files.move(directory, removed, StandardCopyOption.ATOMIC_MOVE);
                            index.remove(caller, threadId);
                            TemporaryWorkspaces.erase(removed);
                        }
                    });
        } catch (IOException | RuntimeException failed) {
            LOG.warn("a thread that could not be made is still listed", failed);
        }
    }

    /// Removes a thread if nobody uses it, and has not since the entry was read.
    ///
    /// @return whether it is gone
    public boolean removeUnused(ThreadIndex.Entry entry) throws IOException, InterruptedException {
        if (writers.isTaken(entry.name())) {
            return false;
        }
        writers.enter(entry.name(), Writers.DELETION, Duration.ZERO);
        try {
            var directory = threads.resolve(entry.name());
            var removed = temporary.freshPlace();
            if (!ThreadIndex.Entry.of(entry.file()).equals(entry)) {
                return false;
            }
            if (!places.aloneAnywhere(directory, () -> putAside(directory, removed))) {
                return false;
            }
            events.announce(entry.name(), () -> List.of(new FileEvent.ThreadDeleted()));
            TemporaryWorkspaces.erase(removed);
            forgetGone(entry.name());
            Files.delete(entry.file());
            return true;
        } catch (LoopImages.InUse e) {
            return false;
        } finally {
            writers.leave(entry.name());
        }
    }
}
