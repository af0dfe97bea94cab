package dev.caisson.store;

import com.zaxxer.hikari.HikariConfig;
import dev.caisson.call.Refusal;
import java.sql.SQLException;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/// Database engine: SQLite or PostgreSQL. What differs between them stands here; the SQL does not
/// differ.
sealed interface DatabaseEngine permits SqliteEngine, PostgresEngine {
    /// What a person is told about where it is; never a secret.
    String place();

    /// Whether all servers with this database have the same data directory.
    boolean hasOneDirectory();

    /// Connections to upgrade with, and for nothing else.
    HikariConfig upgrading();

    /// What a column of texts needs so that they are compared byte by byte in UTF-8.
    String exactText();

    /// Holds other processes off while this one upgrades, where Flyway does not do so itself.
    Turn upgradeTurn();

    /// Sees to it that room can be given back, before anything else is done to the database.
    default void prepare() {}

    /// Gives room that nothing uses any more back, where that does not happen by itself.
    ///
    /// @param writer does a piece of it between the work of others
    default void giveRoomBack(Writer writer) {}

    /// Does work in a transaction, with the only connection that writes.
    interface Writer {
        <T> T write(StoreWork<T> work);
    }

    /// One connection whose commits are durable.
    HikariConfig writing();

    /// Makes the transaction that has just begun the only one that writes, in any process, until it
    /// ends: what it reads is still so when it writes.
    void writeAlone(Handle handle);

    /// Connections that cannot write.
    HikariConfig reading();

    /// What a failure is answered with that neither we nor the caller caused, such as a full disk
    /// or a server that is away: a person or time can help.
    Optional<Refusal> refusal(SQLException failure);

    /// The same for a failure to write.
    default Optional<Refusal> writeRefusal(SQLException failure) {
        return refusal(failure);
    }

    /// The right to upgrade.
    interface Turn extends AutoCloseable {
        @Override
        void close();
    }
}
