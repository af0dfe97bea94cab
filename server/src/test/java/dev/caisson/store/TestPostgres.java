package dev.caisson.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// One PostgreSQL for all tests of a process. It starts with the first that asks and ends with the
/// process; every test gets a schema of its own.
final class TestPostgres {
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private TestPostgres() {}

    /// Started when it is first used, and only then.
    private static final class Running {
        private static final EmbeddedPostgres SERVER = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder().start();
            } catch (IOException failure) {
                throw new UncheckedIOException("PostgreSQL does not start", failure);
            }
        }
    }

    static int port() {
        return Running.SERVER.getPort();
    }

    static DatabaseUrl freshSchema() {
        var schema = "test_" + SCHEMAS.incrementAndGet();
        execute("CREATE SCHEMA " + schema);
        return url("postgresql://localhost:%d/postgres?currentSchema=%s".formatted(port(), schema));
    }

    static DatabaseUrl url(String address) {
        return DatabaseUrl.of(address, Optional.of("postgres"), Optional.of("postgres"));
    }

    /// As the one who operates the server.
    static void execute(String sql) {
        try (var connection = Running.SERVER.getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException("cannot " + sql, failure);
        }
    }
}
