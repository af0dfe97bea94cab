package dev.caisson.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Leases of servers that share a PostgreSQL and no directory. A file's servers share its
/// directory, and their locks say enough.
@Tag("postgres")
@Timeout(120)
final class PostgresLeaseTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration BEAT = Duration.ofMillis(20);

    @TempDir Path directory;

    private static long beat(Store store) {
        return store.read(handle ->
                handle.query("SELECT beat FROM server WHERE id = :id")
                        .bind("id", store.server().orElseThrow())
                        .mapTo(Long.class)
                        .one());
    }

    @Test
    void a_server_of_another_directory_keeps_its_lease_as_long_as_it_beats() throws Exception {
        // Enough looks for the other to beat meanwhile on a busy machine.
        var looks = 50;
        var database = TestDatabase.Kind.POSTGRES.fresh(directory);
        try (var here = database.open();
                var elsewhere = database.open()) {
            elsewhere.enlist(
                    Files.createDirectory(directory.resolve("elsewhere")),
                    "that",
                    BEAT.dividedBy(4),
                    looks);
            here.enlist(Files.createDirectory(directory.resolve("here")), "this", BEAT, looks);
            var enough = beat(here) + 2L * looks;
            await().atMost(PATIENCE)
                    .until(() -> {
                        assertThat(here.endLeases()).isZero();
                        return beat(here) > enough;
                    });
            assertThat(ServerLeaseTest.servers(here)).contains(elsewhere.server().orElseThrow());
        }
    }
}
