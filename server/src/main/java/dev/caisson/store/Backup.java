package dev.caisson.store;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/// A copy of a data directory's database and secrets, made while the server runs.
///
/// A backup is a directory that only its owner can read. In it are the database as it was at one
/// moment (keys, processes, executions, ledger), in one file of SQLite's that needs no other, and
/// the small files beside it that were asked for, each under its own name. The files of threads and
/// volumes and the spooled output are not in it: they may be large and change while they are
/// copied. Copy those directories with the tools of their file system, from a snapshot or while no
/// run is under way.
///
/// A backup appears under its name only when it is whole and on disk.
public final class Backup {
    static final String DATABASE = "caisson.db";

    private Backup() {}

    /// @param database the file, which may be in use
    /// @param besides small files to take along, such as secrets; those that are not there are left
    ///   out
    /// @param target a directory that is not there yet
    /// @throws Refusal CONFLICT when there is something at the target already
    public static void take(Path database, List<Path> besides, Path target) {
        refuseIfThere(target);
        var aside = target.resolveSibling(target.getFileName() + ".part-" + UUID.randomUUID());
        try {
            SqliteFile.createDirectory(aside);
            copyDatabase(database, aside.resolve(DATABASE));
            check(aside.resolve(DATABASE));
            for (var file : besides) {
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    copy(file, aside.resolve(file.getFileName()));
                }
            }
            sync(aside);
            Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE);
            sync(target.toAbsolutePath().resolveSibling("."));
        } catch (IOException | SQLException failure) {
            throw new IllegalStateException("cannot make the backup " + target, failure);
        } finally {
            erase(aside);
        }
    }

    /// PostgreSQL has tools of its own for this.
    public static Refusal refusal(DatabaseUrl url) {
        return new Refusal(
                Reason.UNAVAILABLE,
                "The data is in the PostgreSQL database "
                        + url
                        + ". Back it up with 'pg_dump --format=custom', restore it with"
                        + " 'pg_restore', and copy the secrets in the data directory.");
    }

    /// Puts a backup into a data directory that has no database yet. Other servers may run
    /// meanwhile; the one of this directory may not.
    ///
    /// @throws Refusal NOT_FOUND when there is no backup; CONFLICT when a file of the backup is in
    ///   the directory already; UNAVAILABLE when a server uses the directory or the backup is
    ///   damaged
    public static void restore(Path backup, Path dataDirectory) {
        if (!Files.isRegularFile(backup.resolve(DATABASE))) {
            throw new Refusal(Reason.NOT_FOUND, "There is no backup in " + backup + ".");
        }
        try (var _ = DataLock.take(dataDirectory)) {
            var files = files(backup);
            files.forEach(file -> refuseIfThere(dataDirectory.resolve(file.getFileName())));
            check(backup.resolve(DATABASE));
            for (var file : files) {
                restoreOne(file, dataDirectory);
            }
            sync(dataDirectory);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot restore " + backup, failure);
        } catch (SQLException failure) {
            throw new Refusal(
                    Reason.UNAVAILABLE,
                    "The backup "
                            + backup
                            + " is damaged ("
                            + failure.getMessage()
                            + "). Use another.");
        }
    }

    /// The database comes last: where it is, everything is.
    private static List<Path> files(Path backup) throws IOException {
        try (var all = Files.list(backup)) {
            var files =
                    new ArrayList<>(
                            all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                                    .filter(file -> !file.endsWith(DATABASE))
                                    .sorted()
                                    .toList());
            files.add(backup.resolve(DATABASE));
            return files;
        }
    }

    private static void restoreOne(Path file, Path dataDirectory) throws IOException {
        var name = file.getFileName().toString();
        var aside = dataDirectory.resolve(name + ".part-" + UUID.randomUUID());
        try {
            copy(file, aside);
            Files.move(aside, dataDirectory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    private static void copyDatabase(Path database, Path copy) throws SQLException, IOException {
        try (var connection = SqliteFile.forReading(database).getConnection();
                var statement = connection.prepareStatement("VACUUM INTO ?")) {
            statement.setString(1, copy.toString());
            statement.execute();
        }
        ownersAlone(copy);
        sync(copy);
    }

    private static void check(Path database) throws SQLException {
        var config = new SQLiteConfig();
        config.setReadOnly(true);
        var source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + database.toAbsolutePath());
        try (var connection = source.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("PRAGMA integrity_check")) {
            if (!rows.next() || !"ok".equals(rows.getString(1))) {
                throw new SQLException("the check of the database failed");
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.copy(from, to, LinkOption.NOFOLLOW_LINKS);
        ownersAlone(to);
        sync(to);
    }

    private static void ownersAlone(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static void sync(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static void refuseIfThere(Path path) {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new Refusal(
                    Reason.CONFLICT,
                    "There is a " + path + " already. Move it away, or choose another place.");
        }
    }

    private static void erase(Path directory) {
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (var files = Files.list(directory)) {
            for (var file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(directory);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot remove " + directory, failure);
        }
    }
}
