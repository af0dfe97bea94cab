package dev.caisson.storage;

import dev.caisson.share.TestWorkers;
import dev.caisson.store.Store;
import dev.caisson.telemetry.Metrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;

/// Threads and volumes of a test, which has directories of its own and a store in common with
/// others. Volumes of earlier tests are forgotten, because their directories are gone.
public final class TestSpaces {
    private static final Store STORE = store();

    private TestSpaces() {}

    public static FileSpaces in(Path root, Threads threads, WorkspaceMaker maker) {
        STORE.write(handle ->
                handle.execute("DELETE FROM volume_grant") + handle.execute("DELETE FROM volume"));
        return new FileSpaces(
                threads,
                new Volumes(root, maker, STORE, Clock.systemUTC(), TestWorkers.WORKERS),
                new Metrics());
    }

    private static Store store() {
        try {
            return Store.open(Files.createTempDirectory("spaces").resolve("test.db"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
