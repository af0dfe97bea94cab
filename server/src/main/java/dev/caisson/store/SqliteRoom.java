package dev.caisson.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteDataSource;

/// Vacuum of SQLite files: gives room back to the file system. A deleted row leaves pages that only
/// the file itself uses again; with `auto_vacuum = INCREMENTAL` they can be taken from its end,
/// some at a time.
final class SqliteRoom {
    /// Some milliseconds of the writer's time.
    static final int PAGES_AT_ONCE = 500;

    /// A larger file is not rewritten while a server starts: it would take too long.
    static final long REWRITTEN_BYTES_MAX = 1L << 30;

    private static final Logger LOG = LoggerFactory.getLogger(SqliteRoom.class);
    private static final int INCREMENTAL = 2;
    private static final Duration LOCK_WAIT = Duration.ofSeconds(1);

    private SqliteRoom() {}

    /// A new file can shrink from the start. One of a former version is written anew once, which
    /// needs as much room again; where that is not affordable it stays as it is.
    static void prepare(Path file) {
        try (var connection = plain(file).getConnection();
                var statement = connection.createStatement()) {
            if (number(statement, "PRAGMA auto_vacuum") == INCREMENTAL) {
                return;
            }
            if (!isAffordable(file)) {
                LOG.warn(
                        "{} never shrinks; see Keeping in the documentation of the"
                                + " configuration",
                        file);
                return;
            }
            statement.execute("PRAGMA auto_vacuum = INCREMENTAL");
            statement.execute("VACUUM");
        } catch (SQLException | IOException failure) {
            LOG.warn("{} could not be shrunk now", file, failure);
        }
    }

    private static boolean isAffordable(Path file) throws IOException {
        var bytes = Files.size(file);
        return bytes <= REWRITTEN_BYTES_MAX
                && Files.getFileStore(file).getUsableSpace() / 3 >= bytes;
    }

    /// As the file is, whatever that is.
    private static SQLiteDataSource plain(Path file) {
        var source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + file.toAbsolutePath());
        return source;
    }

    /// @return how many pages were given back
    static long giveSomeBack(Transaction transaction) {
        try (var statement = transaction.handle().getConnection().createStatement()) {
            if (number(statement, "PRAGMA auto_vacuum") != INCREMENTAL) {
                return 0;
            }
            var free = number(statement, "PRAGMA freelist_count");
            if (free > 0) {
                // Each page is a step of its own; an update takes all of them.
                statement.executeUpdate("PRAGMA incremental_vacuum(" + PAGES_AT_ONCE + ")");
            }
            return free - number(statement, "PRAGMA freelist_count");
        } catch (SQLException failure) {
            throw new IllegalStateException("no room can be given back", failure);
        }
    }

    /// Moves the log into the file, which gets smaller only then. While a reader still needs the
    /// state before, the log stays for the next time.
    static void emptyLog(Path file) {
        try (var connection = SqliteFile.forLog(file, LOCK_WAIT).getConnection();
                var statement = connection.createStatement()) {
            number(statement, "PRAGMA wal_checkpoint(TRUNCATE)");
        } catch (SQLException failure) {
            throw new IllegalStateException("the log cannot be emptied", failure);
        }
    }

    private static long number(Statement statement, String pragma) throws SQLException {
        try (var rows = statement.executeQuery(pragma)) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }
}
