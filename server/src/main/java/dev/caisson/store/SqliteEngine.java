package dev.caisson.store;

import com.zaxxer.hikari.HikariConfig;
import dev.caisson.call.FullDisk;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.sqlite.SQLiteErrorCode;

/// A file of SQLite's, which several processes may share.
///
/// @param lockWait how long the writer waits for another process that writes
record SqliteEngine(Path file, Duration lockWait) implements DatabaseEngine {
    private static final Duration OTHERS_MAX = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(20);

    /// The part of an error's number that says what happened; the rest says where.
    private static final int PRIMARY_CODE = 0xff;

    SqliteEngine(Path file) {
        this(file, SqliteFile.LOCK_WAIT);
    }

    @Override
    public boolean hasOneDirectory() {
        return true;
    }

    @Override
    public String place() {
        return file.toString();
    }

    @Override
    public HikariConfig upgrading() {
        return writing(SqliteFile.LOCK_WAIT);
    }

    @Override
    public HikariConfig writing() {
        return writing(lockWait);
    }

    @Override
    public String exactText() {
        return "";
    }

    private HikariConfig writing(Duration wait) {
        var config = new HikariConfig();
        config.setDataSource(SqliteFile.forWriting(file, wait));
        config.setConnectionTimeout(SqliteFile.LOCK_WAIT.toMillis());
        return config;
    }

    @Override
    public void prepare() {
        SqliteRoom.prepare(file);
    }

    @Override
    public void giveRoomBack(Writer writer) {
        while (writer.write(SqliteRoom::giveSomeBack) > 0) {
            // Others write in between.
        }
        SqliteRoom.emptyLog(file);
    }

    /// A transaction takes the file's lock when it begins.
    @Override
    public void writeAlone(Handle handle) {}

    @Override
    public HikariConfig reading() {
        var config = new HikariConfig();
        config.setDataSource(SqliteFile.forReading(file));
        config.setConnectionInitSql("PRAGMA query_only = ON");
        config.setConnectionTimeout(Duration.ofSeconds(10).toMillis());
        return config;
    }

    @Override
    public Optional<Refusal> refusal(SQLException failure) {
        return switch (code(failure)) {
            case SQLITE_FULL -> Optional.of(FullDisk.refusal());
            case SQLITE_BUSY ->
                    Optional.of(
                            new Refusal(
                                    Reason.NO_CAPACITY,
                                    "Another process has been writing to the store for long. Try"
                                            + " again shortly."));
            case SQLITE_IOERR, SQLITE_CANTOPEN ->
                    unavailable(name() + " cannot be used. Look at its disk and permissions.");
            default -> Optional.empty();
        };
    }

    /// Who only reads and is told that the file is read-only has a fault of ours.
    @Override
    public Optional<Refusal> writeRefusal(SQLException failure) {
        return code(failure) == SQLiteErrorCode.SQLITE_READONLY
                ? unavailable(name() + " is read-only. Look at its permissions.")
                : refusal(failure);
    }

    private static Optional<Refusal> unavailable(String sentence) {
        return Optional.of(new Refusal(Reason.UNAVAILABLE, sentence));
    }

    /// Callers may see it, so it does not say where.
    private String name() {
        return "The file " + file.getFileName() + " of the data directory";
    }

    private static SQLiteErrorCode code(SQLException failure) {
        return SQLiteErrorCode.getErrorCode(failure.getErrorCode() & PRIMARY_CODE);
    }

    @Override
    public Turn upgradeTurn() {
        var lockFile = file.resolveSibling(file.getFileName() + ".migration.lock");
        var deadline = System.nanoTime() + OTHERS_MAX.toNanos();
        for (var lock = LockFile.tryTake(lockFile); ; lock = LockFile.tryTake(lockFile)) {
            if (lock.isPresent()) {
                return lock.get()::close;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new Refusal(
                        Reason.UNAVAILABLE,
                        "Process "
                                + LockFile.holder(lockFile)
                                + " has been upgrading the database "
                                + file
                                + " for long. Wait for it, or end it.");
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Refusal(Reason.UNAVAILABLE, "The opening of the database was cancelled.");
        }
    }
}
