package dev.caisson;

import dev.caisson.config.Config;
import dev.caisson.store.DatabaseUrl;
import dev.caisson.store.Store;
import java.nio.file.Path;
import java.util.Optional;

/// Where the configuration wants everything kept.
final class Database {
    private Database() {}

    static Store open(Config.Data data) {
        NativeLibraries.prepare(data.directory());
        return url(data).map(Store::open).orElseGet(() -> Store.open(file(data)));
    }

    /// Of a PostgreSQL database, if it is one.
    static Optional<DatabaseUrl> url(Config.Data data) {
        return data.databaseUrl()
                .map(url -> DatabaseUrl.of(url, data.databaseUser(), data.databasePassword()));
    }

    /// Of SQLite's database, if it is not.
    static Path file(Config.Data data) {
        return data.directory().resolve("caisson.db");
    }
}
