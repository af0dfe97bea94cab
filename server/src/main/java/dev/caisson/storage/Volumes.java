package dev.caisson.storage;

import dev.caisson.call.Caller;
import dev.caisson.call.Refusal;
import dev.caisson.call.StandingVolume;
import dev.caisson.sandbox.Workspace;
import dev.caisson.share.CallerWorkers;
import dev.caisson.share.Workers;
import dev.caisson.storage.image.OpenWorkspaces;
import dev.caisson.storage.volume.GrantWatch;
import dev.caisson.storage.volume.VolumeRefusals;
import dev.caisson.storage.volume.VolumeRows;
import dev.caisson.store.Store;
import dev.caisson.store.Transaction;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

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

    private final VolumeFiles files;
    private final VolumeRights rights;
    private final Store store;
    private final Clock clock;
    private final VolumeMounts mounts = new VolumeMounts();
    private final GrantWatch watch;
    private final Workers workers;

    public Volumes(Path root, WorkspaceMaker maker, Store store, Clock clock, Workers workers) {
        this.workers = workers;
        this.store = store;
        this.clock = clock;
        this.files = new VolumeFiles(root.resolve("volumes"), maker);
        files.eraseAllBut(id -> store.read(handle -> VolumeRows.findById(handle, id)).isPresent());
        this.rights = new VolumeRights(store, clock);
        this.watch = new GrantWatch(mounts, store);
    }

    /// @throws Refusal INVALID_ARGUMENT for a name that is none, CONFLICT for one that is taken,
    ///   NO_CAPACITY when the caller has too many
    public VolumeInfo create(Caller caller, String name) {
        if (!NAME.matcher(name).matches()) {
            throw VolumeRefusals.badName();
        }
        var row =
                new VolumeRows.Row(
                        UUID.randomUUID().toString(),
                        name,
                        caller.id(),
                        caller.name(),
                        Instant.ofEpochMilli(clock.millis()));
        refuseUnmakeable(row);
        files.make(row.id(), caller.id());
        try {
            insert(row);
        } catch (RuntimeException refused) {
            files.erase(row.id());
            throw refused;
        }
        // A process that starts now may have taken the files for those of a deleted volume.
        files.make(row.id(), caller.id());
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

    private static void requireMakeable(Transaction handle, VolumeRows.Row row) {
        if (VolumeRows.find(handle, row.owner(), row.name()).filter(row::hasOwnerOf).isPresent()) {
            throw VolumeRefusals.taken();
        }
        if (VolumeRows.owned(handle, row.owner()) >= OWNED_MAX) {
            throw VolumeRefusals.tooMany("A caller may own " + OWNED_MAX + " volumes. Delete one");
        }
    }

    /// Whether anybody has a volume of this name.
    public static boolean exists(Store store, String name) {
        return store.read(handle -> VolumeRows.exists(handle, name));
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
        return info(rights.require(caller, name, VolumeAccess.READ), caller);
    }

    private VolumeInfo info(VolumeRows.Row row, Caller caller) {
        return new VolumeInfo(
                row.name(),
                row.ownerName(),
                rights.grants(row),
                files.usage(row.id(), new CallerWorkers(workers, caller.id())),
                row.created());
    }

    /// What all of them hold.
    StorageFigures.Total total(StorageFigures.Adding adding) {
        return files.total(adding, new CallerWorkers(workers, Threads.CHORES));
    }

    /// Removes a volume with all its files.
    ///
    /// @throws Refusal NOT_FOUND, FORBIDDEN for all but its owner, CONFLICT when it is in use
    public void delete(Caller caller, String name) {
        var row = rights.requireOwn(caller, name);
        files.eraseUnused(
                row.id(),
                () ->
                        store.write(handle -> {
                            VolumeRows.delete(handle, row.id());
                            return row;
                        }));
    }

    /// Lets another caller use a volume. When it may write no longer, the runs end in which it
    /// could.
    ///
    /// @param grantee the id of a caller
    public VolumeInfo grant(Caller caller, String name, String grantee, VolumeAccess access) {
        var row = rights.requireOwn(caller, name);
        rights.grant(row, grantee, access);
        if (access == VolumeAccess.READ) {
            mounts.end(row.id(), grantee, VolumeAccess.WRITE);
        }
        return info(row, caller);
    }

    /// Ends the runs in which that caller has the volume.
    ///
    /// @throws Refusal NOT_FOUND also when there was no such grant
    public void revoke(Caller caller, String name, String grantee) {
        var row = rights.requireOwn(caller, name);
        rights.revoke(row, grantee);
        mounts.end(row.id(), grantee, VolumeAccess.READ);
    }

    /// Whether a caller may read a volume.
    public boolean isReadable(Caller caller, String name) {
        return rights.find(caller, name).isPresent();
    }

    /// Whether what a caller means by a name is the volume at a place.
    boolean isAt(Caller caller, String name, String place) {
        return rights.find(caller, name).filter(row -> row.id().equals(place)).isPresent();
    }

    /// @throws Refusal NOT_FOUND when the caller may not use such a volume, FORBIDDEN when it may
    ///   only read it
    public FileTree files(Caller caller, String name, VolumeAccess access) {
        return tree(caller.id(), rights.require(caller, name, access));
    }

    /// The files of the volume at a place, for a link that was signed for it.
    ///
    /// @param holder in whose name they take computing
    FileTree files(String place, String holder) {
        return tree(
                holder,
                store.read(handle -> VolumeRows.findById(handle, place))
                        .orElseThrow(VolumeRefusals::absent));
    }

    String place(Caller caller, String name, VolumeAccess access) {
        return rights.require(caller, name, access).id();
    }

    private FileTree tree(String caller, VolumeRows.Row row) {
        var use = files.use(row, caller);
        try {
            return new FileTree(
                    use.opened().root(),
                    WalkBounds.ASKED,
                    use.changes(),
                    use::close,
                    new CallerWorkers(workers, caller));
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
            VolumeAccess access,
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
    public Mounted mount(Caller caller, String name, VolumeAccess access) {
        for (int trial = 0; trial < TRIALS; trial++) {
            var mounted = tryMount(caller, name, access);
            if (mounted.isPresent()) {
                return mounted.get();
            }
        }
        throw VolumeRefusals.inUse();
    }

    /// A grant that was taken away just before the right was noted would not have ended it, so the
    /// name is looked up again.
    ///
    /// @return empty when the name means another volume by then
    private Optional<Mounted> tryMount(Caller caller, String name, VolumeAccess access) {
        var row = rights.require(caller, name, access);
        var right = mounts.begin(row.id(), caller.id(), access);
        boolean done = false;
        try {
            if (!rights.require(caller, name, access).id().equals(row.id())) {
                return Optional.empty();
            }
            var use = files.use(row, caller.id());
            confirmRoom(use, access);
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

    private static void confirmRoom(OpenWorkspaces.Use use, VolumeAccess access) {
        if (access == VolumeAccess.READ) {
            return;
        }
        try {
            use.opened().confirmRoom();
        } catch (Refusal full) {
            use.close();
            throw full;
        }
    }

    /// Checks that a caller may mount a volume, which it does later.
    ///
    /// @throws Refusal as [#files]
    public void requireUsable(Caller caller, String name, VolumeAccess access) {
        rights.require(caller, name, access);
    }

    /// Closes volumes that nobody uses any more.
    @Override
    public void close() {
        watch.close();
        files.close();
    }
}
