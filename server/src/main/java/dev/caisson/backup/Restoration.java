package dev.caisson.backup;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Printable;
import dev.caisson.linux.SparseFile;
import dev.caisson.storage.Erasure;
import dev.caisson.storage.HashedNames;
import dev.caisson.storage.HostTool;
import dev.caisson.store.DataLock;
import dev.caisson.store.DatabaseCopy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/// Restore: puts a [Backup] into a data directory that keeps nothing yet. Whoever made it is not
/// trusted: every file is checked before the first is written, and only what a backup has is
/// accepted. The database comes last: where it is, everything is. What is refused leaves nothing.
public final class Restoration {
    private final Path backup;
    private final Backup.Place place;
    private final BackupManifest manifest;

    /// Directories and files that came with this, and directories of kinds.
    private final List<Path> made = new ArrayList<>();

    private final List<Path> kinds = new ArrayList<>();

    private Restoration(Path backup, Backup.Place place, BackupManifest manifest) {
        this.backup = backup;
        this.place = place;
        this.manifest = manifest;
    }

    /// Other servers may run meanwhile; the one of this directory may not.
    ///
    /// @param incomplete whether one that is not whole will do
    /// @throws Refusal NOT_FOUND when there is no backup; CONFLICT when it is not whole, or
    ///   something of its kind is in the directory already; UNAVAILABLE when a server uses the
    ///   directory or the backup is damaged
    public static BackupManifest restore(Path backup, Backup.Place place, boolean incomplete)
            throws InterruptedException {
        try {
            var manifest = manifest(backup, incomplete);
            if (!manifest.isComplete() && !incomplete) {
                throw notWhole(backup, manifest.missing());
            }
            if (manifest.database() != place.database().isPresent()) {
                throw otherDatabase(backup, manifest.database());
            }
            var restoration = new Restoration(backup, place, manifest);
            restoration.check();
            try (var _ = DataLock.take(place.data())) {
                restoration.all();
            }
            return manifest;
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot restore " + backup, failure);
        }
    }

    private static Refusal notWhole(Path backup, List<String> missing) {
        return new Refusal(
                Reason.CONFLICT,
                "The backup "
                        + backup
                        + " is incomplete. Missing: "
                        + Printable.text(String.join("; ", missing))
                        + ". Use another, or restore what there is with --incomplete.");
    }

    private static Refusal otherDatabase(Path backup, boolean database) {
        return new Refusal(
                Reason.CONFLICT,
                database
                        ? "The backup "
                                + backup
                                + " has a database of SQLite's, and the configuration names one of"
                                + " PostgreSQL's. Leave out data.database_url."
                        : "The backup "
                                + backup
                                + " has no database: it was PostgreSQL's. Restore that with"
                                + " pg_restore, and name it with data.database_url.");
    }

    private static BackupManifest manifest(Path backup, boolean incomplete) throws IOException {
        try {
            return BackupManifest.read(Files.readString(backup.resolve(BackupManifest.FILE)));
        } catch (NoSuchFileException none) {
            if (!Files.isRegularFile(backup.resolve(Backup.DATABASE), NOFOLLOW_LINKS)) {
                throw new Refusal(Reason.NOT_FOUND, "There is no backup in " + backup + ".");
            }
            var former = former(backup);
            if (!incomplete) {
                throw notWhole(backup, former.missing());
            }
            return former;
        } catch (IllegalArgumentException | tools.jackson.core.JacksonException wrong) {
            throw damaged(BackupManifest.FILE + " cannot be read");
        }
    }

    /// Of a version that had no manifest: the database and the secret.
    private static BackupManifest former(Path backup) throws IOException {
        var items = new ArrayList<BackupManifest.Item>();
        for (var name :
                Stream.concat(Backup.SECRETS.stream(), Stream.of(Backup.DATABASE)).toList()) {
            var file = backup.resolve(name);
            if (Files.isRegularFile(file, NOFOLLOW_LINKS)) {
                items.add(
                        new BackupManifest.Item(
                                name,
                                Files.size(file),
                                SparseFile.digest(file),
                                Files.getLastModifiedTime(file).toMillis()));
            }
        }
        return new BackupManifest(
                "",
                "",
                List.of(
                        BackupManifest.FILE
                                + ", for it was interrupted or made by a former version: files of"
                                + " threads and volumes, and outputs"),
                true,
                items);
    }

    private static Refusal damaged(String why) {
        return new Refusal(Reason.UNAVAILABLE, "The backup is damaged (" + why + "). Use another.");
    }

    /// Nothing is written here.
    private void check() throws IOException, InterruptedException {
        refuseWhatIsThere();
        var seen = new HashSet<BackupPath>();
        for (var item : manifest.files()) {
            if (!seen.add(check(item))) {
                throw damaged(item.path() + " is in it twice");
            }
        }
        if (seen.stream().anyMatch(BackupPath::isDatabase) != manifest.database()) {
            throw damaged("its manifest contradicts itself about " + Backup.DATABASE);
        }
        if (manifest.database()) {
            DatabaseCopy.check(backup.resolve(Backup.DATABASE));
        }
    }

    /// Workspaces that are plain directories come after all other files: nothing is written where
    /// something was unpacked.
    private void all() throws IOException, InterruptedException {
        refuseWhatIsThere();
        try {
            for (var item : manifest.files()) {
                var path = path(item);
                if (!path.isDatabase() && !path.isTar()) {
                    put(item);
                }
            }
            for (var item : manifest.files()) {
                if (path(item).isTar()) {
                    unpack(item);
                }
            }
            HostTool.run("sync");
            for (var item : manifest.files()) {
                if (path(item).isDatabase()) {
                    put(item);
                }
            }
        } catch (IOException | RuntimeException | InterruptedException failure) {
            removeAll();
            throw failure;
        }
        HostTool.run("sync", "-f", place.data().toString());
    }

    /// Only what was not there before.
    private void removeAll() throws IOException {
        for (var each : made.reversed()) {
            if (Files.isDirectory(each, NOFOLLOW_LINKS)) {
                Erasure.erase(each);
            } else {
                Files.deleteIfExists(each);
            }
        }
        for (var each : kinds) {
            try {
                Files.deleteIfExists(each);
            } catch (DirectoryNotEmptyException othersUseIt) {
                // It stays.
            }
        }
    }

    private void refuseWhatIsThere() throws IOException {
        var single = new ArrayList<>(Backup.SECRETS);
        single.add(Backup.DATABASE);
        single.forEach(name -> Backup.refuseIfThere(place.data().resolve(name)));
        for (var kind : Stream.concat(Backup.KEPT.stream(), Backup.SHARED.stream()).toList()) {
            refuseIfFull(root(kind).resolve(kind));
        }
    }

    /// A server that was started makes its directories at once.
    private static void refuseIfFull(Path directory) throws IOException {
        if (!Files.isDirectory(directory, NOFOLLOW_LINKS)) {
            Backup.refuseIfThere(directory);
            return;
        }
        try (var inside = Files.newDirectoryStream(directory)) {
            for (var each : inside) {
                Backup.refuseIfThere(each);
            }
        }
    }

    private Path root(String path) {
        return Backup.SHARED.contains(path.split("/", 2)[0]) ? place.threads() : place.data();
    }

    /// No path of a manifest leads out of the backup or the data directory.
    private static BackupPath path(BackupManifest.Item item) {
        return BackupPath.of(item.path())
                .orElseThrow(() ->
                        damaged(
                                "a path leads elsewhere, where no file of a backup is: "
                                        + Printable.text(item.path())));
    }

    private BackupPath check(BackupManifest.Item item) throws IOException, InterruptedException {
        var path = path(item);
        var file = path.below(backup);
        if (!path.isIn(backup)
                || Files.size(file) != item.bytes()
                || !SparseFile.digest(file).equals(item.digest())) {
            throw damaged(item.path() + " is not as it was written");
        }
        if (path.isTar() && !new BackupTar(file).isWorkspace()) {
            throw noWorkspace(item);
        }
        return path;
    }

    private static Refusal noWorkspace(BackupManifest.Item item) {
        return damaged(
                item.path()
                        + " holds something else than the files of a workspace, or cannot be"
                        + " unpacked here");
    }

    private Path directory(BackupManifest.Item item) throws IOException {
        var directory = path(item).parent(root(item.path()));
        var kind = directory.resolveSibling(".").normalize();
        if (path(item).directory().isPresent()) {
            if (Files.notExists(kind, NOFOLLOW_LINKS)) {
                kinds.add(kind);
            }
            if (Files.notExists(directory, NOFOLLOW_LINKS)) {
                made.add(directory);
            }
        } else {
            made.add(directory.resolve(path(item).file()));
        }
        return HashedNames.privateDirectory(directory);
    }

    private void unpack(BackupManifest.Item item) throws IOException, InterruptedException {
        if (!new BackupTar(path(item).below(backup)).extract(directory(item))) {
            throw noWorkspace(item);
        }
    }

    private void put(BackupManifest.Item item) throws IOException {
        var parent = directory(item);
        var aside = parent.resolve(".part-" + UUID.randomUUID());
        try {
            if (!SparseFile.copy(path(item).below(backup), aside).equals(item.digest())) {
                throw damaged(item.path() + " changed while it was read");
            }
            Files.setLastModifiedTime(aside, FileTime.fromMillis(item.modified()));
            Files.move(aside, parent.resolve(path(item).file()), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(aside);
        }
    }
}
