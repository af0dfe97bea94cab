package dev.caisson.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.nio.file.Path;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jdbi.v3.core.ConnectionException;
import org.jdbi.v3.core.Jdbi;

/// The database. What [#write] acknowledged survives the end of this process, however it ends, and
/// of the machine.
///
/// Several processes may have the same file open. SQL is kept to what SQLite and PostgreSQL both
/// understand: TEXT ids, BIGINT for times in milliseconds since 1970, JSON as TEXT.
public final class Store implements AutoCloseable {
    /// How many callers read at once; others wait.
    static final int READERS_MAX = 4;

    private final HikariDataSource writing;
    private final HikariDataSource reading;
    private final Jdbi readers;
    private final GroupCommit writer;

    private Store(Path file, Duration readerWait, int waitingMax) {
        writing = pool("store-write", SqliteFile.forWriting(file), 1, SqliteFile.LOCK_WAIT, "");
        reading =
                pool(
                        "store-read",
                        SqliteFile.forReading(file),
                        READERS_MAX,
                        readerWait,
                        "PRAGMA query_only = ON");
        readers = Jdbi.create(reading);
        writer = new GroupCommit(Jdbi.create(writing), waitingMax);
    }

    /// Opens the database, and creates or upgrades it where needed.
    ///
    /// @throws Refusal UNAVAILABLE when a newer program has changed the schema
    public static Store open(Path file) {
        return open(file, Duration.ofSeconds(10), GroupCommit.WAITING_MAX);
    }

    static Store open(Path file, Duration readerWait, int waitingMax) {
        SqliteFile.create(file);
        Migrations.apply(file);
        return new Store(file, readerWait, waitingMax);
    }

    /// Does the work in a transaction, alone or together with the work of others, and returns when
    /// it is durable. What the work throws is thrown here, and then nothing of it was done.
    ///
    /// @throws Refusal NO_CAPACITY when too many writers wait already
    public <T> T write(Work<T> work) {
        return writer.write(work);
    }

    /// Reads what is committed. Each statement sees one moment.
    ///
    /// @throws Refusal NO_CAPACITY when too many read for too long
    public <T> T read(Work<T> work) {
        try (var handle = readers.open()) {
            return work.run(handle);
        } catch (ConnectionException failure) {
            if (failure.getCause() instanceof SQLTransientConnectionException) {
                throw new Refusal(
                        Reason.NO_CAPACITY, "The store is busy with reads. Try again shortly.");
            }
            throw failure;
        }
    }

    /// How many writers wait.
    public int waiting() {
        return writer.waiting();
    }

    /// Writes what waits, then closes.
    @Override
    public void close() {
        writer.close();
        reading.close();
        writing.close();
    }

    private static HikariDataSource pool(
            String name, DataSource source, int size, Duration wait, String firstStatement) {
        var config = new HikariConfig();
        config.setPoolName(name);
        config.setDataSource(source);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(wait.toMillis());
        config.setConnectionInitSql(firstStatement);
        return new HikariDataSource(config);
    }
}
