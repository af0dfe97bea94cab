package dev.caisson.store;

import com.zaxxer.hikari.HikariDataSource;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;

/// Brings the schema to the version this program knows, one process at a time.
final class Migrations {
    /// As many as Flyway wants at once: one that locks, one that looks, one that changes.
    private static final int CONNECTIONS = 3;

    /// In a migration, `${exact}` behind the type of a column of texts that are compared byte by
    /// byte.
    static final String EXACT = "exact";

    private Migrations() {}

    /// @throws Refusal UNAVAILABLE when the schema is newer than this program
    static void apply(DatabaseEngine engine) {
        try (var _ = engine.upgradeTurn();
                var source = prepared(engine)) {
            var flyway =
                    Flyway.configure()
                            .dataSource(source)
                            .locations("classpath:db/migration")
                            .placeholders(Map.of(EXACT, engine.exactText()))
                            .load();
            refuseNewer(engine, flyway);
            flyway.migrate();
        }
    }

    private static HikariDataSource prepared(DatabaseEngine engine) {
        engine.prepare();
        return Store.pool("store-upgrade", engine.upgrading(), CONNECTIONS);
    }

    private static void refuseNewer(DatabaseEngine engine, Flyway flyway) {
        for (var migration : flyway.info().all()) {
            if (fromTheFuture(migration)) {
                throw new Refusal(
                        Reason.UNAVAILABLE,
                        "The database "
                                + engine.place()
                                + " was written by a newer version of this program (schema "
                                + migration.getVersion()
                                + " is not known here). Start that version, or restore a backup.");
            }
        }
    }

    private static boolean fromTheFuture(MigrationInfo migration) {
        return switch (migration.getState()) {
            case FUTURE_SUCCESS, FUTURE_FAILED -> true;
            default -> false;
        };
    }
}
