package dev.caisson.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.util.Optional;

/// A PostgreSQL that keeps its word: unlike the one of the tests, it waits for the disk.
public final class DurablePostgres implements AutoCloseable {
    private final EmbeddedPostgres server;

    public DurablePostgres() throws IOException {
        server =
                EmbeddedPostgres.builder()
                        .setServerConfig("fsync", "on")
                        .setServerConfig("full_page_writes", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .start();
    }

    public DatabaseUrl url() {
        return DatabaseUrl.of(
                "postgresql://localhost:" + server.getPort() + "/postgres",
                Optional.of("postgres"),
                Optional.empty());
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
