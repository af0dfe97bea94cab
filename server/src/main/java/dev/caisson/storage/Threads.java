package dev.caisson.storage;

import dev.caisson.call.Caller;
import dev.caisson.call.Refusal;
import dev.caisson.linux.LoopImages;
import dev.caisson.share.CallerWorkers;
import dev.caisson.share.Workers;
import dev.caisson.storage.image.OpenWorkspaces;
import dev.caisson.storage.image.TemporaryWorkspaces;
import dev.caisson.storage.thread.ThreadIndex;
import dev.caisson.storage.thread.ThreadRefusals;
import dev.caisson.storage.thread.ThreadRemoval;
import dev.caisson.storage.thread.Writers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Workspaces of threads, which persist, and of single runs, which are erased afterwards.
///
/// What is on the disk, all of it readable by the server alone (mode 0700):
///
/// ```
/// <root>/threads/<hash of caller id and thread id>/   a thread's workspace, kept, and its meta.json
/// <root>/owners/<hash of caller id>/                  which threads a caller has, see ThreadIndex
/// <root>/ephemeral/<server token>-<random>/           a run's workspace, see TemporaryWorkspaces
/// <root>/ephemeral/<server token>-ready/              those made ahead, see ReadyImages
/// ```
///
/// A thread belongs to one caller and has one execution at a time; its files can be read, and
/// single files replaced, meanwhile. What is in `ephemeral` when a server starts and belongs to
/// none that is alive was left by one that was killed, and is erased.
public final class Threads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Threads.class);

    /// Longer ids are refused. Shorter ones may hold any character but a NUL, which not every
    /// database keeps; no id becomes a path.
    public static final int ID_LENGTH_MAX = 1024;

    /// Whose turns to compute are taken by chores.
    static final String CHORES = "chores";

    private static final Pattern PLACE = Pattern.compile("[0-9a-f]{64}");

    private final Path threads;
    private final WorkspaceMaker maker;
    private final OpenWorkspaces places;
    private final ThreadIndex index;
    private final Writers writers = new Writers();
    private final FileEvents events = new FileEvents();
    private final Workers workers;
    private final ThreadRegistry registry;

    private final TemporaryWorkspaces temporary;
    private final ThreadRemoval removal;

    /// Threads that only their files tell of.
    public Threads(Path root, WorkspaceMaker maker, Workers workers) {
        this(root, maker, workers, ThreadRegistry.NONE);
    }

    public Threads(Path root, WorkspaceMaker maker, Workers workers, ThreadRegistry registry) {
        this.workers = workers;
        this.registry = registry;
        this.maker = maker;
        this.places = new OpenWorkspaces(maker);
        try {
            this.index = new ThreadIndex(root);
            this.threads = HashedNames.privateDirectory(root.resolve("threads"));
            this.temporary = new TemporaryWorkspaces(root.resolve("ephemeral"), maker, places);
            this.removal =
                    new ThreadRemoval(threads, temporary, places, index, writers, events, registry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What happens to their files.
    public FileEvents events() {
        return events;
    }

    /// What fits into one workspace, as a phrase for people.
    public String capacity() {
        return maker.capacity();
    }

    /// The workspace of a caller's thread. One that is not there is made when the lease is first
    /// used: a run that is refused before leaves no thread.
    ///
    /// @param wait how long to wait for whoever uses it
    /// @throws Refusal CONFLICT when somebody still uses it after that time; its details name the
    ///   execution; UNAVAILABLE when its files were lost
    public Lease acquire(Caller caller, String threadId, String executionId, Duration wait)
            throws InterruptedException {
        ThreadRefusals.requireValid(threadId);
        var name = HashedNames.directoryName(caller, threadId);
        writers.enter(name, executionId, wait);
        try {
            var directory = threads.resolve(name);
            refuseLost(name, threadId);
            var fresh = Files.notExists(directory);
            if (!fresh) {
                make(caller, threadId);
            }
            return new Lease(
                    () -> open(caller, threadId), fresh, () -> leave(caller, threadId, name));
        } catch (IOException e) {
            writers.leave(name);
            throw new UncheckedIOException("the workspace of a thread cannot be opened", e);
        } catch (RuntimeException e) {
            writers.leave(name);
            throw e;
        }
    }

    /// Notes that a thread is used now, and makes it when it is not there.
    private void make(Caller caller, String threadId) throws IOException {
        index.add(caller, threadId);
        var directory = threads.resolve(place(caller, threadId));
        describe(HashedNames.privateDirectory(directory), caller, threadId);
    }

    private OpenWorkspaces.Use open(Caller caller, String threadId) {
        try {
            make(caller, threadId);
        } catch (IOException e) {
            throw new UncheckedIOException("the workspace of a thread cannot be opened", e);
        }
        try {
            return useKept(caller, threadId);
        } catch (RuntimeException refused) {
            removal.removeUnmade(caller, threadId, maker::isThere);
            throw refused;
        }
    }

    /// Files that are there are known before anybody has them.
    private OpenWorkspaces.Use useKept(Caller caller, String threadId) {
        var name = place(caller, threadId);
        var use = use(threads.resolve(name), caller.id());
        try {
            registry.add(caller, threadId, name);
            return use;
        } catch (RuntimeException failed) {
            use.close();
            throw failed;
        }
    }

    private boolean isLost(String name) {
        return !maker.isThere(threads.resolve(name)) && registry.isKnown(name);
    }

    /// A thread that had files and has none now does not begin anew by itself.
    ///
    /// @param what the thread, for people
    private void refuseLost(String name, String what) {
        if (isLost(name)) {
            throw ThreadRefusals.filesLost(what);
        }
    }

    private OpenWorkspaces.Use use(Path directory, String holder) {
        try {
            return places.use(directory, holder);
        } catch (LoopImages.InUse e) {
            throw ThreadRefusals.usedElsewhere();
        } catch (NoSuchFileException e) {
            throw ThreadRefusals.absent();
        } catch (IOException e) {
            throw new UncheckedIOException("the workspace of a thread cannot be opened", e);
        }
    }

    private void leave(Caller caller, String threadId, String name) {
        try {
            if (Files.exists(threads.resolve(name))) {
                make(caller, threadId);
            }
        } catch (IOException e) {
            LOG.warn("the last use of thread {} could not be stored", name, e);
        } finally {
            writers.leave(name);
        }
    }

    /// For whoever looks into the directory; nothing depends on it.
    private static void describe(Path directory, Caller caller, String threadId) {
        try {
            if (Files.isDirectory(directory)) {
                ThreadMeta.write(directory, caller, threadId);
            }
        } catch (IOException e) {
            LOG.debug("a thread is not described", e);
        }
    }

    /// The files of a caller's thread, whoever else uses them.
    ///
    /// @throws Refusal NOT_FOUND when the caller has no such thread; UNAVAILABLE when its files
    ///   were lost
    public FileTree files(Caller caller, String threadId) {
        var name = place(caller, threadId);
        refuseLost(name, threadId);
        return files(name, caller.id());
    }

    /// The same for a thread that is made when it is not there.
    public FileTree filesMade(Caller caller, String threadId) {
        ThreadRefusals.requireValid(threadId);
        var name = place(caller, threadId);
        refuseLost(name, threadId);
        try {
            make(caller, threadId);
        } catch (IOException e) {
            throw new UncheckedIOException("a thread cannot be made", e);
        }
        return tree(useKept(caller, threadId), place(caller, threadId), caller.id());
    }

    /// The files of the thread at a place, for a link that was signed for it.
    ///
    /// @param holder in whose name they take disk and computing
    FileTree files(String place, String holder) {
        var directory = threads.resolve(place);
        if (!PLACE.matcher(place).matches()) {
            throw ThreadRefusals.absent();
        }
        refuseLost(place, "behind this link");
        if (Files.notExists(directory)) {
            throw ThreadRefusals.absent();
        }
        return tree(use(directory, holder), place, holder);
    }

    private FileTree tree(OpenWorkspaces.Use use, String place, String holder) {
        try {
            return new FileTree(
                            use.opened().root(),
                            WalkBounds.ASKED,
                            use.changes(),
                            use::close,
                            new CallerWorkers(workers, holder))
                    .journaled(threads.resolve(place));
        } catch (RuntimeException e) {
            use.close();
            throw e;
        }
    }

    /// What stands for a caller's thread in a link: it says neither who the caller is nor where the
    /// files are, and nobody else's thread has it.
    public static String place(Caller caller, String threadId) {
        return HashedNames.directoryName(caller, threadId);
    }

    /// The id of the caller's thread at a place.
    public Optional<String> idAt(Caller caller, String place) {
        return PLACE.matcher(place).matches() ? index.idAt(caller, place) : Optional.empty();
    }

    /// The ids of a caller's threads, in order.
    public List<String> ids(Caller caller) {
        return new CallerWorkers(workers, caller.id())
                .get(() ->
                        index.list(caller).entrySet().stream()
                                .filter(entry -> Files.exists(threads.resolve(entry.getValue())))
                                .map(Map.Entry::getKey)
                                .toList());
    }

    /// @throws Refusal NOT_FOUND when the caller has no such thread
    public ThreadInfo info(Caller caller, String threadId) {
        return find(caller, threadId).orElseThrow(ThreadRefusals::absent);
    }

    /// @return empty when the caller has no such thread
    /// @throws Refusal UNAVAILABLE when its files were lost
    public Optional<ThreadInfo> find(Caller caller, String threadId) {
        var directory = threads.resolve(place(caller, threadId));
        refuseLost(place(caller, threadId), threadId);
        if (Files.notExists(directory)) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new ThreadInfo(
                            threadId,
                            Usage.of(
                                    places.room(
                                            directory, new CallerWorkers(workers, caller.id()))),
                            ThreadInfo.modified(directory),
                            isBusy(caller, threadId),
                            false));
        } catch (NoSuchFileException justDeleted) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("a thread cannot be looked at", e);
        }
    }

    /// The same for a list of them, where one whose files were lost says so.
    public Optional<ThreadInfo> listed(Caller caller, String threadId) {
        var name = place(caller, threadId);
        if (!isLost(name)) {
            return find(caller, threadId);
        }
        try {
            return Optional.of(
                    new ThreadInfo(
                            threadId,
                            Usage.NOTHING,
                            ThreadInfo.modified(threads.resolve(name)),
                            isBusy(caller, threadId),
                            true));
        } catch (NoSuchFileException justDeleted) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("a thread cannot be looked at", e);
        }
    }

    /// Removes a thread with all its files.
    ///
    /// @throws Refusal NOT_FOUND when the caller has no such thread, CONFLICT when it is in use
    public void delete(Caller caller, String threadId) throws InterruptedException {
        removal.delete(caller, threadId);
    }

    /// Those of all callers, the longest unused first.
    List<ThreadIndex.Entry> all() throws IOException {
        return index.all();
    }

    /// Those of one caller.
    List<ThreadIndex.Entry> of(String callerId) throws IOException {
        return index.of(callerId);
    }

    /// What a thread takes on the disk.
    long bytes(ThreadIndex.Entry entry) throws IOException {
        var directory = threads.resolve(entry.name());
        return Files.exists(directory)
                ? places.room(directory, new CallerWorkers(workers, CHORES)).bytesUsed()
                : 0;
    }

    /// What all of them hold.
    StorageFigures.Total total(StorageFigures.Adding adding) {
        return adding.of(threads, places, new CallerWorkers(workers, CHORES));
    }

    /// Removes a thread if nobody uses it, and has not since the entry was read.
    ///
    /// @return whether it is gone
    boolean removeUnused(ThreadIndex.Entry entry) throws IOException, InterruptedException {
        return removal.removeUnused(entry);
    }

    /// A workspace that is erased when the lease is closed, or a moment later.
    ///
    /// @param callerId whose it is
    public Lease ephemeral(String callerId) {
        return temporary.lease(callerId);
    }

    /// The same for a run that gets nothing but what it writes itself: in memory, where that is
    /// possible.
    ///
    /// @param runBytes the memory of the run
    public Lease ephemeral(String callerId, long runBytes) {
        return temporary.leaseInMemory(callerId, runBytes);
    }

    /// The size of a workspace in memory. Empty where none is made.
    public OptionalLong bytesInMemory(long runBytes) {
        return maker.bytesInMemory(runBytes);
    }

    /// Whether an execution uses the thread right now.
    public boolean isBusy(Caller caller, String threadId) {
        return writers.isTaken(HashedNames.directoryName(caller, threadId));
    }

    /// Closes workspaces that nobody uses any more.
    @Override
    public void close() {
        places.close();
    }
}
