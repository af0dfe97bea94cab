package dev.caisson.storage;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.linux.LoopImages;
import dev.caisson.linux.ServerToken;
import dev.caisson.share.Computing;
import dev.caisson.share.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Workspaces: those that persist, one per thread, and those that are erased after one run.
///
/// What is on the disk, all of it readable by the server alone (mode 0700):
///
/// ```
/// <root>/threads/<hash of caller id and thread id>/   a thread's workspace, kept, and its meta.json
/// <root>/owners/<hash of caller id>/                  which threads a caller has, see ThreadIndex
/// <root>/ephemeral/<server token>-<random>/           a run's workspace, erased when it is over
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

    /// How long a deletion waits for those who are done with the files.
    private static final Duration LET_GO_MAX = Duration.ofSeconds(1);

    private static final Duration LET_GO_LOOK = Duration.ofMillis(20);

    private final Path threads;
    private final Path ephemeral;
    private final WorkspaceMaker maker;
    private final OpenPlaces places;
    private final ThreadIndex index;
    private final Writers writers = new Writers();
    private final FileEvents events = new FileEvents();
    private final Workers workers;
    private final ThreadRegistry registry;

    /// How many temporary workspaces each caller has now.
    private final Map<String, Integer> temporary = new ConcurrentHashMap<>();

    /// Threads that only their files tell of.
    public Threads(Path root, WorkspaceMaker maker, Workers workers) {
        this(root, maker, workers, ThreadRegistry.NONE);
    }

    public Threads(Path root, WorkspaceMaker maker, Workers workers, ThreadRegistry registry) {
        this.workers = workers;
        this.registry = registry;
        this.maker = maker;
        this.places = new OpenPlaces(maker);
        try {
            this.index = new ThreadIndex(root);
            this.threads = Handles.privateDirectory(root.resolve("threads"));
            this.ephemeral = Handles.privateDirectory(root.resolve("ephemeral"));
            eraseLeftovers();
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

    /// The workspace of a caller's thread, made when it is not there.
    ///
    /// @param wait how long to wait for whoever uses it
    /// @throws Refusal CONFLICT when somebody still uses it after that time; its details name the
    ///   execution; UNAVAILABLE when its files were lost
    public Lease acquire(Caller caller, String threadId, String executionId, Duration wait)
            throws InterruptedException {
        requireValid(threadId);
        var name = Handles.directoryName(caller, threadId);
        writers.enter(name, executionId, wait);
        try {
            var directory = threads.resolve(name);
            refuseLost(name, threadId);
            var fresh = Files.notExists(directory);
            index.add(caller, threadId);
            describe(Handles.privateDirectory(directory), caller, threadId);
            return new Lease(
                    () -> useKept(caller, threadId), fresh, () -> leave(caller, threadId, name));
        } catch (IOException e) {
            writers.leave(name);
            throw new UncheckedIOException("the workspace of a thread cannot be opened", e);
        } catch (RuntimeException e) {
            writers.leave(name);
            throw e;
        }
    }

    /// Files that are there are known before anybody has them.
    private OpenPlaces.Use useKept(Caller caller, String threadId) {
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
            throw new Refusal(
                    Reason.UNAVAILABLE,
                    "The files of thread "
                            + what
                            + " are not in this server's data directory: they were lost, or a"
                            + " backup was restored without them. Restore them, or delete the"
                            + " thread to begin anew.",
                    Map.of("cause", "files_lost", Refusal.RETRYABLE, false));
        }
    }

    private OpenPlaces.Use use(Path directory, String holder) {
        try {
            return places.use(directory, holder);
        } catch (LoopImages.InUse e) {
            throw usedElsewhere();
        } catch (NoSuchFileException e) {
            throw absent();
        } catch (IOException e) {
            throw new UncheckedIOException("the workspace of a thread cannot be opened", e);
        }
    }

    private void leave(Caller caller, String threadId, String name) {
        try {
            index.add(caller, threadId);
            describe(threads.resolve(name), caller, threadId);
        } catch (IOException e) {
            LOG.warn("the use of thread {} is not noted", name, e);
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
        requireValid(threadId);
        var name = place(caller, threadId);
        refuseLost(name, threadId);
        try {
            index.add(caller, threadId);
            describe(Handles.privateDirectory(threads.resolve(name)), caller, threadId);
        } catch (IOException e) {
            throw new UncheckedIOException("a thread cannot be made", e);
        }
        return tree(useKept(caller, threadId), caller.id());
    }

    /// The files of the thread at a place, for a link that was signed for it.
    ///
    /// @param holder in whose name they take disk and computing
    FileTree files(String place, String holder) {
        var directory = threads.resolve(place);
        if (!PLACE.matcher(place).matches()) {
            throw absent();
        }
        refuseLost(place, "behind this link");
        if (Files.notExists(directory)) {
            throw absent();
        }
        return tree(use(directory, holder), holder);
    }

    private FileTree tree(OpenPlaces.Use use, String holder) {
        try {
            return new FileTree(
                    use.opened().root(),
                    Bounds.ASKED,
                    use.changes(),
                    use::close,
                    new Computing(workers, holder));
        } catch (RuntimeException e) {
            use.close();
            throw e;
        }
    }

    /// What stands for a caller's thread in a link: it says neither who the caller is nor where the
    /// files are, and nobody else's thread has it.
    public static String place(Caller caller, String threadId) {
        return Handles.directoryName(caller, threadId);
    }

    /// The id of the caller's thread at a place.
    public Optional<String> idAt(Caller caller, String place) {
        return PLACE.matcher(place).matches() ? index.idAt(caller, place) : Optional.empty();
    }

    /// The ids of a caller's threads, in order.
    public List<String> ids(Caller caller) {
        return new Computing(workers, caller.id())
                .get(() ->
                        index.list(caller).entrySet().stream()
                                .filter(entry -> Files.exists(threads.resolve(entry.getValue())))
                                .map(Map.Entry::getKey)
                                .toList());
    }

    /// @throws Refusal NOT_FOUND when the caller has no such thread
    public ThreadInfo info(Caller caller, String threadId) {
        return find(caller, threadId).orElseThrow(Threads::absent);
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
                            Usage.of(places.room(directory, new Computing(workers, caller.id()))),
                            modified(directory),
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
                            modified(threads.resolve(name)),
                            isBusy(caller, threadId),
                            true));
        } catch (NoSuchFileException justDeleted) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("a thread cannot be looked at", e);
        }
    }

    private static Instant modified(Path directory) throws IOException {
        try (var inside = Files.newDirectoryStream(directory)) {
            var latest = Instant.EPOCH;
            for (var each : inside) {
                var described = String.valueOf(each.getFileName()).contains("meta");
                var time = described ? Instant.EPOCH : modifiedOrGone(each);
                latest = time.isAfter(latest) ? time : latest;
            }
            return latest.equals(Instant.EPOCH)
                    ? Files.getLastModifiedTime(directory).toInstant()
                    : latest;
        }
    }

    private static Instant modifiedOrGone(Path file) throws IOException {
        try {
            return Files.getLastModifiedTime(file, NOFOLLOW_LINKS).toInstant();
        } catch (NoSuchFileException draft) {
            return Instant.EPOCH;
        }
    }

    /// Removes a thread with all its files.
    ///
    /// @throws Refusal NOT_FOUND when the caller has no such thread, CONFLICT when it is in use
    public void delete(Caller caller, String threadId) throws InterruptedException {
        var name = place(caller, threadId);
        writers.enter(name, Writers.DELETION, Duration.ZERO);
        try {
            var directory = threads.resolve(name);
            if (Files.notExists(directory)) {
                forgetLost(caller, threadId);
                return;
            }
            var doomed = ephemeral.resolve(freshName());
            if (!putAsideAlone(directory, doomed)) {
                throw new Refusal(
                        Reason.CONFLICT,
                        "A session of the thread is alive, or its files are being read or written."
                                + " End the session with session_reset, or try again shortly.",
                        Map.of("status", "conflict", "retryable", true));
            }
            index.remove(caller, threadId);
            events.announce(name, () -> List.of(new FileEvent.ThreadDeleted()));
            eraseOrLeave(doomed);
            forgetGone(name);
        } catch (LoopImages.InUse e) {
            throw usedElsewhere();
        } catch (IOException e) {
            throw new UncheckedIOException("a thread cannot be deleted", e);
        } finally {
            writers.leave(name);
        }
    }

    /// Deletes what is known of a thread without files.
    private void forgetLost(Caller caller, String threadId) throws IOException {
        var name = place(caller, threadId);
        if (!registry.isKnown(name)) {
            throw absent();
        }
        registry.remove(name);
        index.remove(caller, threadId);
    }

    /// Who has read an answer to its end has it a moment before the server lets go of the files.
    ///
    /// @return false when somebody goes on using them
    private boolean putAsideAlone(Path directory, Path doomed)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + LET_GO_MAX.toNanos();
        while (!places.aloneAnywhere(directory, () -> putAside(directory, doomed))) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            Thread.sleep(LET_GO_LOOK);
        }
        return true;
    }

    /// It is forgotten first, for its files are not lost; where the disk is too full for that, when
    /// they are gone.
    private void putAside(Path directory, Path doomed) throws IOException {
        if (Files.exists(directory)) {
            try {
                registry.remove(String.valueOf(directory.getFileName()));
            } catch (Refusal full) {
                LOG.debug("a thread is forgotten once its files are gone", full);
            }
            Files.move(directory, doomed, StandardCopyOption.ATOMIC_MOVE);
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
                ? places.room(directory, new Computing(workers, CHORES)).bytesUsed()
                : 0;
    }

    /// What all of them hold.
    StorageFigures.Total total(StorageFigures.Adding adding) {
        return adding.of(threads, places, new Computing(workers, CHORES));
    }

    /// Removes a thread if nobody uses it, and has not since the entry was read.
    ///
    /// @return whether it is gone
    boolean removeUnused(ThreadIndex.Entry entry) throws IOException, InterruptedException {
        if (writers.isTaken(entry.name())) {
            return false;
        }
        writers.enter(entry.name(), Writers.DELETION, Duration.ZERO);
        try {
            var directory = threads.resolve(entry.name());
            var doomed = ephemeral.resolve(freshName());
            if (!ThreadIndex.Entry.of(entry.file()).equals(entry)) {
                return false;
            }
            if (!places.aloneAnywhere(directory, () -> putAside(directory, doomed))) {
                return false;
            }
            events.announce(entry.name(), () -> List.of(new FileEvent.ThreadDeleted()));
            eraseOrLeave(doomed);
            forgetGone(entry.name());
            Files.delete(entry.file());
            return true;
        } catch (LoopImages.InUse e) {
            return false;
        } finally {
            writers.leave(entry.name());
        }
    }

    private static Refusal absent() {
        return new Refusal(Reason.NOT_FOUND, "There is no such thread.");
    }

    private static String freshName() {
        var random = ThreadLocalRandom.current();
        var hex = HexFormat.of();
        var name = hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
        return ServerToken.own() + "-" + name;
    }

    /// A workspace that is erased when the lease is closed, or a moment later.
    ///
    /// @param callerId whose it is
    public Lease ephemeral(String callerId) {
        var directory = ephemeral.resolve(freshName());
        boolean busy = temporary.merge(callerId, 1, Integer::sum) > 1;
        return new Lease(
                () -> temporary(directory, callerId, busy), true, () -> end(directory, callerId));
    }

    private OpenPlaces.Use temporary(Path directory, String callerId, boolean busy) {
        return maker.temporary(callerId, busy)
                .map(Lease::temporary)
                .orElseGet(() -> made(directory, callerId));
    }

    private OpenPlaces.Use made(Path directory, String callerId) {
        try {
            return places.use(Handles.privateDirectory(directory), callerId);
        } catch (IOException e) {
            throw new UncheckedIOException("a workspace cannot be made", e);
        }
    }

    private void end(Path directory, String callerId) {
        temporary.computeIfPresent(callerId, (_, count) -> count > 1 ? count - 1 : null);
        if (Files.exists(directory)) {
            eraseAlone(directory);
        }
    }

    /// Nobody comes back for it, so it does not stay open either.
    private void eraseAlone(Path directory) {
        try {
            places.alone(directory, () -> eraseOrLeave(directory));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Whether an execution uses the thread right now.
    public boolean isBusy(Caller caller, String threadId) {
        return writers.isTaken(Handles.directoryName(caller, threadId));
    }

    /// Closes workspaces that nobody uses any more.
    @Override
    public void close() {
        places.close();
    }

    private static Refusal usedElsewhere() {
        return new Refusal(
                Reason.CONFLICT,
                "The thread is in use by another process of this server. Try again when it has"
                        + " ended, or use another thread.",
                Map.of("status", "conflict", "retryable", true));
    }

    private static void requireValid(String threadId) {
        if (threadId.isEmpty() || threadId.length() > ID_LENGTH_MAX) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "A thread id has 1 to " + ID_LENGTH_MAX + " characters.");
        }
        if (threadId.indexOf('\0') >= 0) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "A thread id has no NUL character; this one has one behind "
                            + threadId.indexOf('\0')
                            + " characters.");
        }
    }

    /// Another process may serve from the same directory, such as one on standard input and output.
    private void eraseLeftovers() throws IOException {
        try (var left = Files.newDirectoryStream(ephemeral)) {
            for (var directory : left) {
                if (!ServerToken.isAliveIn(directory)) {
                    eraseOrLeave(directory);
                }
            }
        }
    }

    /// A run does not lose its result because its workspace resists; the next start tries again.
    private static void eraseOrLeave(Path directory) {
        try {
            Erasure.erase(directory);
        } catch (UncheckedIOException e) {
            LOG.warn("workspace {} is left for the next start", directory.getFileName(), e);
        }
    }
}
