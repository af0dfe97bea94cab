package dev.caisson.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/// Opening of SQLite files, and how we use them: a write-ahead log so that readers and the writer
/// do not wait for each other, and a commit that returns only when the disk has it.
final class SqliteFile {
    /// How long we wait while another process writes.
    static final Duration LOCK_WAIT = Duration.ofSeconds(10);

    /// What the log's file is cut to when it begins anew.
    private static final int LOG_BYTES_MAX = 64 << 20;

    private SqliteFile() {}

    /// Makes sure the file is there and is the owner's alone. SQLite gives its side files the same
    /// permissions.
    static void create(Path file) {
        createDirectory(file.toAbsolutePath().getParent());
        try {
            Files.createFile(
                    file,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
        } catch (FileAlreadyExistsException _) {
            return;
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot create " + file, failure);
        }
    }

    /// Makes sure the directory is there; one that is made here is the owner's alone.
    static void createDirectory(@Nullable Path directory) {
        if (directory == null) {
            return;
        }
        try {
            Files.createDirectories(
                    directory,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot create " + directory, failure);
        }
    }

    /// Takes the lock when a transaction begins, not at its first change: a transaction that has
    /// read already could not wait for it.
    static DataSource forWriting(Path file, Duration lockWait) {
        return source(file, lockWait, SQLiteConfig.TransactionMode.IMMEDIATE);
    }

    /// For one who only moves the log into the file.
    static DataSource forLog(Path file, Duration lockWait) {
        return source(file, lockWait, SQLiteConfig.TransactionMode.DEFERRED);
    }

    static DataSource forReading(Path file) {
        return source(file, LOCK_WAIT, SQLiteConfig.TransactionMode.DEFERRED);
    }

    private static DataSource source(
            Path file, Duration lockWait, SQLiteConfig.TransactionMode mode) {
        var config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(Math.toIntExact(lockWait.toMillis()));
        config.enforceForeignKeys(true);
        config.setJournalSizeLimit(LOG_BYTES_MAX);
        config.setTransactionMode(mode);
        var source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file.toAbsolutePath());
        return source;
    }
}
