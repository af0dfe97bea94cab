package dev.caisson.store;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.flywaydb.core.Flyway;

/// An empty database of a test's own, which it can open as often as it likes.
public final class TestDatabase {
    /// Where every promise of the store must hold.
    public enum Kind {
        SQLITE,
        POSTGRES;

        /// @param directory an empty one, for a database that is a file
        public TestDatabase fresh(Path directory) {
            return new TestDatabase(
                    switch (this) {
                        case SQLITE -> {
                            var file = directory.resolve("data/caisson.db");
                            SqliteFile.create(file);
                            yield new SqliteEngine(file);
                        }
                        case POSTGRES -> new PostgresEngine(TestPostgres.freshSchema());
                    });
        }
    }

    private final DatabaseEngine engine;

    private TestDatabase(DatabaseEngine engine) {
        this.engine = engine;
    }

    /// The same database for another process.
    public static TestDatabase at(String address) {
        return new TestDatabase(
                address.startsWith("postgresql:")
                        ? new PostgresEngine(TestPostgres.url(address))
                        : new SqliteEngine(Path.of(address)));
    }

    /// What [#at] takes.
    public String address() {
        return engine.place();
    }

    /// Brings it to an older schema first.
    void migrateTo(String version) {
        try (var source = Store.pool("test-upgrade", engine.upgrading(), 3)) {
            Flyway.configure()
                    .dataSource(source)
                    .locations("classpath:db/migration")
                    .placeholders(Map.of(Migrations.EXACT, engine.exactText()))
                    .target(version)
                    .load()
                    .migrate();
        }
    }

    /// With whatever schema it has.
    void execute(String sql) {
        try (var source = Store.pool("test-upgrade", engine.upgrading(), 1);
                var connection = source.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    public Store open() {
        return Store.open(engine, StoreLimits.DEFAULT);
    }

    Store open(Duration readerWait, int waitingMax) {
        return Store.open(engine, new StoreLimits(Optional.of(readerWait), waitingMax));
    }
}
