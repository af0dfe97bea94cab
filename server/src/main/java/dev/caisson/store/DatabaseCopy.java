package dev.caisson.store;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/// A copy of a database of SQLite's as it was at one moment, made while a server writes: one file
/// that needs no other, and that its owner alone can read.
public final class DatabaseCopy {
    private DatabaseCopy() {}

    /// @param database the file, which may be in use
    /// @param copy must not exist
    public static void take(Path database, Path copy) throws IOException {
        try (var connection = SqliteFile.forReading(database).getConnection();
                var statement = connection.prepareStatement("VACUUM INTO ?")) {
            statement.setString(1, copy.toString());
            statement.execute();
        } catch (SQLException failure) {
            throw new IOException("the database cannot be copied", failure);
        }
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-------"));
        check(copy);
        try (var channel = FileChannel.open(copy, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /// @throws Refusal UNAVAILABLE when it is damaged
    public static void check(Path copy) {
        var config = new SQLiteConfig();
        config.setReadOnly(true);
        try (var connection = source(copy, config).getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("PRAGMA integrity_check")) {
            if (rows.next() && "ok".equals(rows.getString(1))) {
                return;
            }
            throw damaged("the check of the database failed");
        } catch (SQLException failure) {
            throw damaged(String.valueOf(failure.getMessage()));
        }
    }

    private static Refusal damaged(String why) {
        return new Refusal(Reason.UNAVAILABLE, "The backup is damaged (" + why + "). Use another.");
    }

    /// The ids of threads' and volumes' directories that a copy tells of.
    public record Places(List<String> threads, List<String> volumes) {}

    public static Places places(Path copy) {
        return open(copy)
                .withHandle(handle ->
                        new Places(
                                handle.createQuery("SELECT DISTINCT place FROM thread")
                                        .mapTo(String.class)
                                        .list(),
                                handle.createQuery("SELECT id FROM volume")
                                        .mapTo(String.class)
                                        .list()));
    }

    /// Makes a copy forget threads and volumes that were deleted after it was taken.
    public static void forget(Path copy, Collection<String> threads, Collection<String> volumes) {
        open(copy)
                .useTransaction(handle -> {
                    threads.forEach(
                            place -> handle.execute("DELETE FROM thread WHERE place = ?", place));
                    for (var id : volumes) {
                        handle.execute("DELETE FROM volume_grant WHERE volume_id = ?", id);
                        handle.execute("DELETE FROM volume WHERE id = ?", id);
                    }
                });
    }

    private static Jdbi open(Path copy) {
        return Jdbi.create(source(copy, new SQLiteConfig()));
    }

    private static SQLiteDataSource source(Path file, SQLiteConfig config) {
        var source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file.toAbsolutePath());
        return source;
    }
}
