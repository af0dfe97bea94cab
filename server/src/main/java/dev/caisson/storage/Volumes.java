package dev.caisson.storage;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.StandingVolume;
import dev.caisson.linux.LoopImages;
import dev.caisson.sandbox.Workspace;
import dev.caisson.share.Computing;
import dev.caisson.share.Workers;
import dev.caisson.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;

/// Named storage that several threads may mount. A volume belongs to the caller who made it, who
/// may let others read or write it; for everybody else it is not there. Names are each caller's
/// own: two may use the same one and learn nothing of each other. Its files are kept, like a
/// workspace's and with the same limits, in
///
/// ```
/// <root>/volumes/<id of the volume>/
/// ```
///
/// The files are made before the row and erased after it: a directory without a row was deleted,
/// and a row without files has lost them.
public final class Volumes implements AutoCloseable {
    /// How many one caller may own.
    public static final int OWNED_MAX = 100;

    /// How many others may use one.
    public static final int GRANTS_MAX = 100;

    /// How often a name may come to mean another volume while it is mounted.
    private static final int TRIALS = 4;

    private static final Pattern NAME = Pattern.compile(StandingVolume.NAME_PATTERN);

    private final Path root;
    private final WorkspaceMaker maker;
    private final OpenPlaces places;
    private final Store store;
    private final Clock clock;
    private final VolumeMounts mounts = new VolumeMounts();
    private final GrantWatch watch;
    private final Workers workers;

    public Volumes(Path root, WorkspaceMaker maker, Store store, Clock clock, Workers workers) {
        this.workers = workers;
        this.store = store;
        this.clock = clock;
        this.maker = maker;
        this.places = new OpenPlaces(maker);
        try {
            this.root = Handles.privateDirectory(root.resolve("volumes"));
            eraseDeleted();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.watch = new GrantWatch(mounts, store);
    }

    private void eraseDeleted() throws IOException {
        try (var kept = Files.newDirectoryStream(root)) {
            for (var directory : kept) {
                var id = String.valueOf(directory.getFileName());
                if (store.read(handle -> VolumeRows.findById(handle, id)).isEmpty()) {
                    Erasure.erase(directory);
                }
            }
        }
    }

    /// @throws Refusal INVALID_ARGUMENT for a name that is none, CONFLICT for one that is taken,
    ///   NO_CAPACITY when the caller has too many
    public VolumeInfo create(Caller caller, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "The name of a volume has 1 to 63 small letters, digits, hyphens and underscores, and starts with a letter or a digit.");
        }
        var row =
                new VolumeRows.Row(
                        UUID.randomUUID().toString(),
                        name,
                        caller.id(),
                        caller.name(),
                        Instant.ofEpochMilli(clock.millis()));
        refuseUnmakeable(row);
        make(row, caller.id());
        try {
            insert(row);
        } catch (RuntimeException refused) {
            Erasure.erase(root.resolve(row.id()));
            throw refused;
        }
        // A process that starts now may have taken the files for those of a deleted volume.
        make(row, caller.id());
        return info(row, caller);
    }

    /// Spares the making of files that would be erased at once.
    private void refuseUnmakeable(VolumeRows.Row row) {
        store.read(handle -> {
            requireMakeable(handle, row);
            return row;
        });
    }

    private void insert(VolumeRows.Row row) {
        store.write(handle -> {
            requireMakeable(handle, row);
            VolumeRows.insert(handle, row);
            return row;
        });
    }

    private static void requireMakeable(Handle handle, VolumeRows.Row row) {
        if (VolumeRows.find(handle, row.owner(), row.name()).filter(row::hasOwnerOf).isPresent()) {
            throw new Refusal(
                    Reason.CONFLICT,
                    "You have a volume of that name already.",
                    Map.of(Refusal.RETRYABLE, false));
        }
        if (VolumeRows.owned(handle, row.owner()) >= OWNED_MAX) {
            throw new Refusal(
                    Reason.NO_CAPACITY,
                    "A caller may own " + OWNED_MAX + " volumes. Delete one first.",
                    Map.of(Refusal.RETRYABLE, false));
        }
    }

    private void make(VolumeRows.Row row, String holder) {
        try {
            Handles.privateDirectory(root.resolve(row.id()));
        } catch (IOException e) {
            throw new UncheckedIOException("a volume cannot be made", e);
        }
        open(row, holder).close();
    }

    /// Those a caller may use, in the order of their names.
    public List<String> names(Caller caller) {
        return store.read(handle -> VolumeRows.list(handle, caller.id())).stream()
                .map(VolumeRows.Row::name)
                .distinct()
                .toList();
    }

    /// @throws Refusal NOT_FOUND when the caller may not use such a volume
    public VolumeInfo info(Caller caller, String name) {
        return info(row(caller, name, Access.READ), caller);
    }

    private VolumeInfo info(VolumeRows.Row row, Caller caller) {
        try {
            return new VolumeInfo(
                    row.name(),
                    row.ownerName(),
                    store.read(handle -> VolumeRows.grants(handle, row.id())),
                    Usage.of(
                            places.room(
                                    root.resolve(row.id()), new Computing(workers, caller.id()))),
                    row.created());
        } catch (IOException e) {
            throw new UncheckedIOException("a volume cannot be looked at", e);
        }
    }

    /// What all of them hold.
    StorageFigures.Total total(StorageFigures.Adding adding) {
        return adding.of(root, places, new Computing(workers, Threads.CHORES));
    }

    /// Removes a volume with all its files.
    ///
    /// @throws Refusal NOT_FOUND, FORBIDDEN for all but its owner, CONFLICT when it is in use
    public void delete(Caller caller, String name) {
        var row = owned(caller, name);
        try {
            if (!places.aloneAnywhere(root.resolve(row.id()), () -> erase(row))) {
                throw inUse();
            }
        } catch (LoopImages.InUse e) {
            throw inUse();
        } catch (IOException e) {
            throw new UncheckedIOException("a volume cannot be deleted", e);
        }
    }

    private static Refusal inUse() {
        return new Refusal(
                Reason.CONFLICT,
                "The volume is in use. Try again when the runs that mount it have ended.",
                Map.of("status", "conflict", "retryable", true));
    }

    private void erase(VolumeRows.Row row) {
        store.write(handle -> {
            VolumeRows.delete(handle, row.id());
            return row;
        });
        Erasure.erase(root.resolve(row.id()));
    }

    /// Lets another caller use a volume. When it may write no longer, the runs end in which it
    /// could.
    ///
    /// @param grantee the id of a caller
    public VolumeInfo grant(Caller caller, String name, String grantee, Access access) {
        var row = owned(caller, name);
        store.write(handle -> {
            var grants = VolumeRows.grants(handle, row.id());
            if (!grants.containsKey(grantee) && grants.size() >= GRANTS_MAX) {
                throw new Refusal(
                        Reason.NO_CAPACITY,
                        "A volume may be granted to " + GRANTS_MAX + " keys. Revoke one first.",
                        Map.of(Refusal.RETRYABLE, false));
            }
            VolumeRows.grant(handle, row.id(), grantee, access, clock.instant());
            return row;
        });
        if (access == Access.READ) {
            mounts.end(row.id(), grantee, Access.WRITE);
        }
        return info(row, caller);
    }

    /// Ends the runs in which that caller has the volume.
    ///
    /// @throws Refusal NOT_FOUND also when there was no such grant
    public void revoke(Caller caller, String name, String grantee) {
        var row = owned(caller, name);
        if (!store.write(handle -> VolumeRows.revoke(handle, row.id(), grantee))) {
            throw new Refusal(Reason.NOT_FOUND, "The volume is not granted to that key.");
        }
        mounts.end(row.id(), grantee, Access.READ);
    }

    /// Whether a caller may read a volume.
    public boolean isReadable(Caller caller, String name) {
        return find(caller, name).isPresent();
    }

    /// Whether what a caller means by a name is the volume at a place.
    boolean isAt(Caller caller, String name, String place) {
        return find(caller, name).filter(row -> row.id().equals(place)).isPresent();
    }

    private Optional<VolumeRows.Row> find(Caller caller, String name) {
        return store.read(handle -> VolumeRows.find(handle, caller.id(), name));
    }

    /// @throws Refusal NOT_FOUND when the caller may not use such a volume, FORBIDDEN when it may
    ///   only read it
    public FileTree files(Caller caller, String name, Access access) {
        return files(caller.id(), row(caller, name, access));
    }

    /// The files of the volume at a place, for a link that was signed for it.
    ///
    /// @param holder in whose name they take computing
    FileTree files(String place, String holder) {
        return files(
                holder,
                store.read(handle -> VolumeRows.findById(handle, place))
                        .orElseThrow(Volumes::absent));
    }

    String place(Caller caller, String name, Access access) {
        return row(caller, name, access).id();
    }

    private FileTree files(String caller, VolumeRows.Row row) {
        var use = use(row, caller);
        try {
            return new FileTree(
                    use.opened().root(),
                    Bounds.ASKED,
                    use.changes(),
                    use::close,
                    new Computing(workers, caller));
        } catch (RuntimeException e) {
            use.close();
            throw e;
        }
    }

    /// A volume for a run.
    ///
    /// @param id of the volume, which stays when the right is taken away
    /// @param right to it, which may be taken away meanwhile
    public record Mounted(
            String id,
            String name,
            Access access,
            Workspace workspace,
            Path root,
            VolumeMounts.Right right,
            Runnable release)
            implements AutoCloseable {
        @Override
        public void close() {
            right.close();
            release.run();
        }
    }

    /// @throws Refusal as [#files]
    public Mounted mount(Caller caller, String name, Access access) {
        for (int trial = 0; trial < TRIALS; trial++) {
            var mounted = tryMount(caller, name, access);
            if (mounted.isPresent()) {
                return mounted.get();
            }
        }
        throw inUse();
    }

    /// A grant that was taken away just before the right was noted would not have ended it, so the
    /// name is looked up again.
    ///
    /// @return empty when the name means another volume by then
    private Optional<Mounted> tryMount(Caller caller, String name, Access access) {
        var row = row(caller, name, access);
        var right = mounts.begin(row.id(), caller.id(), access);
        boolean done = false;
        try {
            if (!row(caller, name, access).id().equals(row.id())) {
                return Optional.empty();
            }
            var use = use(row, caller.id());
            done = true;
            return Optional.of(
                    new Mounted(
                            row.id(),
                            name,
                            access,
                            use.opened().workspace(),
                            use.opened().root(),
                            right,
                            use::close));
        } finally {
            if (!done) {
                right.close();
            }
        }
    }

    /// Checks that a caller may mount a volume, which it does later.
    ///
    /// @throws Refusal as [#files]
    public void requireUsable(Caller caller, String name, Access access) {
        row(caller, name, access);
    }

    /// @param holder whose share of the disk it takes while it is open
    private OpenPlaces.Use use(VolumeRows.Row row, String holder) {
        if (!maker.isThere(root.resolve(row.id()))) {
            throw new Refusal(
                    Reason.UNAVAILABLE,
                    "The files of volume "
                            + row.name()
                            + " are not in this server's data directory: they were lost, or are"
                            + " kept by another server. Restore them, or delete the volume and"
                            + " make it anew.",
                    Map.of("cause", "files_lost", Refusal.RETRYABLE, false));
        }
        return open(row, holder);
    }

    private OpenPlaces.Use open(VolumeRows.Row row, String holder) {
        try {
            return places.use(root.resolve(row.id()), holder);
        } catch (LoopImages.InUse e) {
            throw new Refusal(
                    Reason.CONFLICT,
                    "The volume is in use by another process of this server. Try again later.",
                    Map.of("status", "conflict", "retryable", true));
        } catch (IOException e) {
            throw new UncheckedIOException("a volume cannot be opened", e);
        }
    }

    private VolumeRows.Row row(Caller caller, String name, Access asked) {
        var row = find(caller, name).orElseThrow(Volumes::absent);
        var access = access(caller, row).orElseThrow(Volumes::absent);
        if (!access.covers(asked)) {
            throw new Refusal(Reason.FORBIDDEN, "This key may only read the volume " + name + ".");
        }
        return row;
    }

    private VolumeRows.Row owned(Caller caller, String name) {
        var row = row(caller, name, Access.READ);
        if (!row.owner().equals(caller.id())) {
            throw new Refusal(
                    Reason.FORBIDDEN, "Only the owner of the volume " + name + " may do this.");
        }
        return row;
    }

    private Optional<Access> access(Caller caller, VolumeRows.Row row) {
        return row.owner().equals(caller.id())
                ? Optional.of(Access.WRITE)
                : Optional.ofNullable(
                        store.read(handle -> VolumeRows.grants(handle, row.id())).get(caller.id()));
    }

    private static Refusal absent() {
        return new Refusal(Reason.NOT_FOUND, "There is no such volume.");
    }

    /// Closes volumes that nobody uses any more.
    @Override
    public void close() {
        watch.close();
        places.close();
    }
}
