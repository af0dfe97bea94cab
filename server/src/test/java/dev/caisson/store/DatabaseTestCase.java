package dev.caisson.store;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/// Base of tests that need an empty database of either kind.
@BothDatabases
public abstract class DatabaseTestCase {
    /// Set for each round.
    @Parameter protected TestDatabase.Kind kind = TestDatabase.Kind.SQLITE;

    @TempDir protected Path directory;
    protected TestDatabase database;

    @BeforeEach
    protected final void createDatabase() {
        database = kind.fresh(directory);
    }
}
