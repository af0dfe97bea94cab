package dev.caisson.store;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.nio.file.Path;
import java.time.Duration;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;

/// Brings the schema to the version this program knows, one process at a time.
final class Migrations {
    private static final Duration OTHERS_MAX = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private Migrations() {}

    /// @throws Refusal UNAVAILABLE when the schema is newer than this program
    static void apply(Path file) {
        try (var _ = alone(file)) {
            var flyway =
                    Flyway.configure()
                            .dataSource(SqliteFile.forWriting(file))
                            .locations("classpath:db/migration")
                            .load();
            refuseNewer(file, flyway);
            flyway.migrate();
        }
    }

    private static void refuseNewer(Path file, Flyway flyway) {
        for (var migration : flyway.info().all()) {
            if (fromTheFuture(migration)) {
                throw new Refusal(
                        Reason.UNAVAILABLE,
                        "The database "
                                + file
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

    private static LockFile alone(Path file) {
        var lockFile = file.resolveSibling(file.getFileName() + ".migration.lock");
        var deadline = System.nanoTime() + OTHERS_MAX.toNanos();
        for (var lock = LockFile.tryTake(lockFile); ; lock = LockFile.tryTake(lockFile)) {
            if (lock.isPresent()) {
                return lock.get();
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
