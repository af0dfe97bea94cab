package dev.caisson.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.caisson.call.Durable;
import dev.caisson.call.Refusal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.StatementExceptions;
import org.jdbi.v3.core.statement.StatementExceptions.MessageRendering;

/// Access to the SQL database. What [#write] acknowledged, and what [#later] and [#soon] said is
/// durable, survives the end of this process, however it ends, and of the machine.
///
/// Several processes may have the same database open. SQL is kept to what SQLite and PostgreSQL
/// both understand: TEXT ids, BIGINT for times in milliseconds since 1970, JSON as TEXT.
public final class Store implements AutoCloseable {
    /// How many callers read at once; others wait.
    static final int READERS_MAX = 4;

    private final DatabaseEngine engine;
    private final Failures failures;
    private final HikariDataSource writing;
    private final HikariDataSource reading;
    private final Jdbi readers;
    private final GroupCommit writer;

    private volatile Optional<ServerLease> lease = Optional.empty();
    private volatile Optional<Journal> journal = Optional.empty();

    private Store(
            DatabaseEngine engine,
            HikariDataSource writing,
            HikariDataSource reading,
            int waitingMax) {
        this.engine = engine;
        failures = new Failures(engine);
        this.writing = writing;
        this.reading = reading;
        readers = discreet(Jdbi.create(reading));
        var statements = new KeptStatements();
        var jdbi = discreet(Jdbi.create(writing)).setStatementBuilderFactory(_ -> statements);
        writer = new GroupCommit(engine, jdbi, waitingMax);
    }

    /// What is written may be a program or a secret, and failures are logged.
    private static Jdbi discreet(Jdbi jdbi) {
        jdbi.getConfig(StatementExceptions.class).setMessageRendering(MessageRendering.NONE);
        return jdbi;
    }

    /// Opens a database of SQLite's, and creates or upgrades it where needed.
    ///
    /// @throws Refusal UNAVAILABLE when a newer program has changed the schema
    public static Store open(Path file) {
        SqliteFile.create(file);
        return open(new SqliteEngine(file), StoreLimits.DEFAULT);
    }

    /// Opens a database of a PostgreSQL server, which must exist, and creates or upgrades what is
    /// in it where needed.
    ///
    /// @throws Refusal UNAVAILABLE when a newer program has changed the schema, or the server is
    ///   away
    public static Store open(DatabaseUrl url) {
        return open(new PostgresEngine(url), StoreLimits.DEFAULT);
    }

    static Store open(DatabaseEngine engine, StoreLimits limits) {
        try {
            Migrations.apply(engine);
            return connected(engine, limits);
        } catch (RuntimeException failure) {
            throw new Failures(engine).writing(failure);
        }
    }

    private static Store connected(DatabaseEngine engine, StoreLimits limits) {
        var writing = pool("store-write", engine.writing(), 1);
        try {
            var config = engine.reading();
            limits.readerWait().ifPresent(wait -> config.setConnectionTimeout(wait.toMillis()));
            var reading = pool("store-read", config, READERS_MAX);
            return new Store(engine, writing, reading, limits.waitingMax());
        } catch (RuntimeException failure) {
            writing.close();
            throw failure;
        }
    }

    /// Takes part as a server that has things under way, which nobody else may settle while it
    /// lives. To be called once, before anything is under way.
    ///
    /// @param data the server's data directory
    /// @param directory names it among those of other servers with this database
    public void enlist(Path data, String directory) {
        enlist(data, directory, ServerLease.BEAT, ServerLease.LOOKS_MAX);
    }

    void enlist(Path data, String directory, Duration beat, int looksMax) {
        var pace = new ServerLease.Pace(beat, looksMax, engine.hasOneDirectory());
        lease = Optional.of(new ServerLease(this, data, directory, pace));
    }

    /// What a row that is under way carries in its column `server`; empty for a process that is no
    /// server, and leaves nothing under way.
    public Optional<String> server() {
        return lease.map(ServerLease::id);
    }

    /// Whether a server that lives uses this database, be it this process.
    ///
    /// @param data the data directory
    public boolean isServed(Path data) {
        return engine.hasOneDirectory()
                ? ServerLease.isAlive(data)
                : read(handle ->
                        handle.query("SELECT COUNT(*) FROM server").mapTo(Long.class).one())
                        > 0;
    }

    /// Ends the leases of servers that are gone: what they had under way can be settled now. It is
    /// what has no row of the table `server`.
    ///
    /// @return of how many
    public int endLeases() {
        return lease.map(ServerLease::endOthers).orElse(0);
    }

    /// Does the work in a transaction, alone or together with the work of others, and returns when
    /// it is durable. What the work throws is thrown here, and then nothing of it was done.
    ///
    /// @throws Refusal NO_CAPACITY when too many writers wait already or another process writes for
    ///   too long; UNAVAILABLE when the disk is full or the database is away
    public <T> T write(StoreWork<T> work) {
        try {
            return writer.write(work);
        } catch (RuntimeException failure) {
            throw failures.writing(failure);
        }
    }

    /// The same without waiting for it.
    public Durable later(StoreWork<?> work) {
        return writer.later(work);
    }

    /// The same, along with whatever is written next, so that both share one commit; in a moment
    /// when nothing is, and at once when somebody waits for it.
    public Durable soon(StoreWork<?> work) {
        return writer.soon(work);
    }

    /// A way to write that many callers share.
    public <I, T> JointWriter<I, T> joint(JointWork<I, T> work) {
        return writer.joint(work);
    }

    /// Opens a journal in front of this database, which has one at a time.
    ///
    /// @param directory where it is, and where processes left theirs
    /// @param kinds of records, of which each has a code of its own
    public Journal journal(Path directory, List<JournalKind<?>> kinds) {
        if (journal.filter(Journal::isOpen).isPresent()) {
            throw new IllegalStateException("there is a journal");
        }
        var opened = new Journal(this, failures, directory, kinds);
        writer.begin(opened::turn);
        journal = Optional.of(opened);
        return opened;
    }

    /// Returns when everything that this process has in its journal is in the database. Whoever
    /// reads what may be there calls this first, and so sees all that was acknowledged.
    ///
    /// @throws Refusal when the database is away or full
    public void settle() {
        journal.ifPresent(Journal::settle);
    }

    /// Reads what is committed. Each statement sees one moment.
    ///
    /// @throws Refusal NO_CAPACITY when too many read for too long; UNAVAILABLE when the database
    ///   is away
    public <T> T read(StoreWork<T> work) {
        try (var handle = readers.open()) {
            return work.run(new Transaction(handle));
        } catch (JdbiException failure) {
            throw failures.reading(failure);
        }
    }

    /// Gives room that nothing uses any more back to the file system, in small pieces between the
    /// work of others. A database server does that by itself.
    public void giveRoomBack() {
        engine.giveRoomBack(this::write);
    }

    /// How many writers wait.
    public int waiting() {
        return writer.waiting();
    }

    /// Writes what waits, then closes.
    @Override
    public void close() {
        lease.ifPresent(ServerLease::close);
        writer.close();
        reading.close();
        writing.close();
    }

    static HikariDataSource pool(String name, HikariConfig config, int size) {
        config.setPoolName(name);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(1);
        return new HikariDataSource(config);
    }
}
