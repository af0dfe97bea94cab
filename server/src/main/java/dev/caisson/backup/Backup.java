package dev.caisson.backup;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.linux.LoopImages;
import dev.caisson.linux.SparseFile;
import dev.caisson.storage.DirectoryWorkspaces;
import dev.caisson.storage.Erasure;
import dev.caisson.storage.HashedNames;
import dev.caisson.storage.HostTool;
import dev.caisson.storage.ImageWorkspaces;
import dev.caisson.storage.OwnerOnly;
import dev.caisson.store.DatabaseCopy;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// Backup writer: takes a backup of everything a server keeps, while it runs:
///
/// ```
/// caisson.db                        the database as it was at one moment, without PostgreSQL
/// journal-….pending, executions-….pending
///                                   what was acknowledged and is not in the database yet; the
///                                   next start puts it there
/// secret, file-secret, directory-id what signs, seals and names
/// owners/…, threads/…, volumes/…    as they are in the directory of threads; a workspace that is a
///                                   plain directory is in a file files.tar
/// output/…                          what programs wrote
/// manifest.json                     the digest of every file above, and what is not there
/// ```
///
/// The database comes first. What is deleted afterwards, while files are copied, the copy of the
/// database forgets; so it tells of nothing that is not there.
///
/// A workspace is copied as it was at one moment: what its file system has in memory is written,
/// then its image is copied, and when somebody wrote to it meanwhile the copy is made again. One
/// that is written to all the time is left out when the time for it is over, and the backup is not
/// whole. Nothing is locked and nobody waits for a backup.
///
/// A backup is its owner's alone, and appears under its name only when it is finished.
public final class Backup {
    static final String DATABASE = "caisson.db";
    static final String TAR = "files.tar";
    static final List<String> SECRETS = List.of("secret", "file-secret", "directory-id");

    /// Directories of the data directory, and of that of threads.
    static final List<String> KEPT = List.of("output");

    static final List<String> SHARED = List.of("owners", "threads", "volumes");

    /// Longer than the clock of a file system takes for a step.
    private static final Duration CLOCK_STEP = Duration.ofMillis(50);

    /// What processes have acknowledged and not yet put into the database.
    private static final String PENDING = "{journal,ledger,executions}-*.pending";

    /// How often the database is copied at most, when processes end meanwhile.
    private static final int DATABASE_COPIES_MAX = 5;

    private static final Duration PAUSE = Duration.ofMillis(200);

    /// How long a mount takes to go.
    private static final Duration UNMOUNTING_MAX = Duration.ofSeconds(5);

    private final Place place;
    private final Path target;
    private final long deadline;
    private final Progress progress;
    private final List<BackupManifest.Item> items = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();

    /// Directories that were there before the database was copied.
    private final Set<String> before = new HashSet<>();

    /// Where a server keeps what it keeps.
    ///
    /// @param data the data directory
    /// @param threads the directory of threads and volumes
    /// @param database the file; empty when it is PostgreSQL's
    public record Place(Path data, Path threads, Optional<Path> database) {}

    /// Hears how far it is.
    @FunctionalInterface
    public interface Progress {
        void copied(int files, long bytes);
    }

    private Backup(Place place, Path target, Duration wait, Progress progress) {
        this.place = place;
        this.target = target;
        this.deadline = System.nanoTime() + wait.toNanos();
        this.progress = progress;
    }

    /// @param target a directory that is not there yet
    /// @param wait how long workspaces in use may take altogether
    /// @param version of this program
    /// @throws Refusal CONFLICT when there is something at the target already
    public static BackupManifest take(
            Place place, Path target, Duration wait, String version, Progress progress)
            throws InterruptedException {
        refuseIfThere(target);
        var aside = target.resolveSibling(target.getFileName() + ".part-" + UUID.randomUUID());
        try {
            HashedNames.privateDirectory(aside);
            var manifest = new Backup(place, aside, wait, progress).all(version);
            Files.writeString(
                    Files.createFile(aside.resolve(BackupManifest.FILE), OwnerOnly.FILE),
                    Json.text(manifest.tree()));
            HostTool.run("sync", "-f", aside.toString());
            Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE);
            HostTool.run("sync", "-f", target.toString());
            return manifest;
        } catch (IOException failure) {
            throw new Refusal(
                    Reason.UNAVAILABLE,
                    "The backup "
                            + target
                            + " cannot be made: "
                            + failure.getMessage()
                            + ". Look at its disk and permissions.");
        } finally {
            if (Files.exists(aside, NOFOLLOW_LINKS)) {
                Erasure.erase(aside);
            }
        }
    }

    static void refuseIfThere(Path path) {
        if (Files.exists(path, NOFOLLOW_LINKS)) {
            throw new Refusal(
                    Reason.CONFLICT,
                    "There is a " + path + " already. Move it away, or choose another place.");
        }
    }

    private BackupManifest all(String version) throws IOException, InterruptedException {
        var created = Instant.now().toString();
        for (var secret : SECRETS) {
            if (Files.isRegularFile(place.data().resolve(secret), NOFOLLOW_LINKS)) {
                copy(place.data().resolve(secret), secret);
            }
        }
        for (var kind : SHARED) {
            list(place.threads().resolve(kind))
                    .forEach(each -> before.add(kind + "/" + each.getFileName()));
        }
        var copy = target.resolve(DATABASE);
        if (place.database().isPresent()) {
            database(place.database().get(), copy);
        } else {
            missing.add("the database, which is PostgreSQL's: copy it with pg_dump");
        }
        for (var kind : SHARED) {
            directories(place.threads().resolve(kind), kind);
        }
        for (var kind : KEPT) {
            directories(place.data().resolve(kind), kind);
        }
        if (place.database().isPresent()) {
            forgetDeleted(copy);
            items.add(item(copy, DATABASE, SparseFile.digest(copy)));
        }
        return new BackupManifest(version, created, missing, place.database().isPresent(), items);
    }

    /// What is pending is copied before the database, which knows how much of it it has: the rest
    /// is replayed when a server starts on both. A process that ends removes what it had pending
    /// and then what the database knew of that, so a file that is still there was known; where one
    /// is gone, both are copied again.
    private void database(Path database, Path copy) throws IOException {
        for (var copies = 1; ; copies++) {
            var pending = pending();
            DatabaseCopy.take(database, copy);
            var gone =
                    pending.stream()
                            .filter(one -> Files.notExists(place.data().resolve(one.path())))
                            .toList();
            if (gone.isEmpty() || copies == DATABASE_COPIES_MAX) {
                for (var one : gone) {
                    Files.delete(target.resolve(one.path()));
                    missing.add(
                            "the last entries of a process that ended meanwhile, " + one.path());
                }
                pending.stream().filter(one -> !gone.contains(one)).forEach(items::add);
                return;
            }
            Files.delete(copy);
            for (var one : pending) {
                Files.delete(target.resolve(one.path()));
            }
        }
    }

    private List<BackupManifest.Item> pending() throws IOException {
        var found = new ArrayList<BackupManifest.Item>();
        try (var files = Files.newDirectoryStream(place.data(), PENDING)) {
            for (var file : files) {
                var name = String.valueOf(file.getFileName());
                try {
                    found.add(copied(file, name));
                    progress.copied(items.size() + found.size(), found.getLast().bytes());
                } catch (NoSuchFileException settled) {
                    Files.deleteIfExists(target.resolve(name));
                }
            }
        }
        return found;
    }

    private void forgetDeleted(Path copy) {
        var told = DatabaseCopy.places(copy);
        DatabaseCopy.forget(copy, gone(told.threads(), "threads"), gone(told.volumes(), "volumes"));
    }

    /// Those that have no files any more, and therefore none here. One whose files were lost before
    /// is not deleted: it is still told of.
    private List<String> gone(List<String> ids, String kind) {
        return ids.stream()
                .filter(id -> before.contains(kind + "/" + id))
                .filter(id -> Files.notExists(place.threads().resolve(kind).resolve(id)))
                .toList();
    }

    /// Each directory below one.
    private void directories(Path directory, String kind) throws IOException, InterruptedException {
        for (var each : list(directory)) {
            if (Files.isDirectory(each, NOFOLLOW_LINKS)) {
                contents(each, kind + "/" + each.getFileName());
            }
        }
    }

    private void contents(Path directory, String path) throws IOException, InterruptedException {
        for (var file : list(directory)) {
            var inside = path + "/" + file.getFileName();
            try {
                if (file.endsWith(DirectoryWorkspaces.FILES)
                        && Files.isDirectory(file, NOFOLLOW_LINKS)) {
                    workspace(file, path);
                } else if (BackupPath.of(inside).isPresent()
                        && Files.isRegularFile(file, NOFOLLOW_LINKS)) {
                    if (file.endsWith(ImageWorkspaces.IMAGE)) {
                        image(file, inside);
                    } else {
                        copy(file, inside);
                    }
                }
            } catch (NoSuchFileException deleted) {
                Files.deleteIfExists(target.resolve(inside));
            }
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            var sorted = new ArrayList<Path>();
            all.forEach(sorted::add);
            sorted.sort(null);
            return sorted;
        } catch (NoSuchFileException none) {
            return List.of();
        }
    }

    private void copy(Path file, String path) throws IOException {
        add(copied(file, path));
    }

    private BackupManifest.Item copied(Path file, String path) throws IOException {
        var modified = Files.getLastModifiedTime(file, NOFOLLOW_LINKS);
        var copy = prepared(path);
        var digest = SparseFile.copy(file, copy);
        Files.setLastModifiedTime(copy, modified);
        return item(copy, path, digest);
    }

    private Path prepared(String path) throws IOException {
        var copy = target.resolve(path);
        var parent = copy.getParent();
        if (parent != null) {
            HashedNames.privateDirectory(parent);
        }
        return copy;
    }

    private void add(BackupManifest.Item item) {
        items.add(item);
        progress.copied(items.size(), item.bytes());
    }

    private static BackupManifest.Item item(Path copy, String path, String digest)
            throws IOException {
        return new BackupManifest.Item(
                path, Files.size(copy), digest, Files.getLastModifiedTime(copy).toMillis());
    }

    /// What tells whether somebody wrote.
    private record Stamp(Instant modified, long bytes, boolean free) {
        static Stamp of(Path image) throws IOException {
            return new Stamp(
                    Files.getLastModifiedTime(image, NOFOLLOW_LINKS).toInstant(),
                    Files.size(image),
                    LoopImages.isFree(image));
        }
    }

    /// Again and again until nobody wrote meanwhile.
    private void image(Path image, String path) throws IOException, InterruptedException {
        do {
            if (copiedQuietly(image, path)) {
                return;
            }
            Files.deleteIfExists(target.resolve(path));
            Thread.sleep(PAUSE);
        } while (System.nanoTime() - deadline < 0);
        busy(path);
    }

    private boolean copiedQuietly(Path image, String path)
            throws IOException, InterruptedException {
        if (!Files.exists(image, NOFOLLOW_LINKS)) {
            throw new NoSuchFileException(image.toString());
        }
        if (!isReleased(image)) {
            HostTool.run("sync");
        }
        var before = Stamp.of(image);
        if (before.modified().isAfter(Instant.now().minus(CLOCK_STEP))) {
            Thread.sleep(CLOCK_STEP);
            return false;
        }
        var copy = prepared(path);
        var digest = SparseFile.copy(image, copy);
        if (!Stamp.of(image).equals(before)) {
            return false;
        }
        Files.setLastModifiedTime(copy, FileTime.from(before.modified()));
        add(item(copy, path, digest));
        return true;
    }

    /// Whether nobody has it mounted. One whose mount is just going is waited for: `sync` passes
    /// over it, and what was written is in the image only when it is gone.
    private static boolean isReleased(Path image) throws IOException, InterruptedException {
        if (LoopImages.isFree(image)) {
            return true;
        }
        try (var device = LoopImages.watch(image)) {
            return device.awaitReleased(UNMOUNTING_MAX);
        }
    }

    private void busy(String path) {
        missing.add("the files of " + path + ", which were written to all the time");
    }

    /// A plain directory of a program's, which may hold anything: tar follows no link in it.
    private void workspace(Path files, String path) throws IOException, InterruptedException {
        var parent = files.toAbsolutePath().getParent();
        var tar = prepared(path + "/" + TAR);
        do {
            Files.deleteIfExists(tar);
            Files.createFile(tar, OwnerOnly.FILE);
            int status =
                    HostTool.status(
                            "tar",
                            "--create",
                            "--sparse",
                            "--xattrs",
                            "--numeric-owner",
                            "--file=" + tar,
                            "--directory=" + parent,
                            "./" + files.getFileName());
            if (status == 0) {
                add(item(tar, path + "/" + TAR, SparseFile.digest(tar)));
                return;
            }
            if (Files.notExists(files)) {
                Files.deleteIfExists(tar);
                return;
            }
            Thread.sleep(PAUSE);
        } while (System.nanoTime() - deadline < 0);
        Files.deleteIfExists(tar);
        busy(path);
    }
}
