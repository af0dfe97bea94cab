package dev.caisson;

import dev.caisson.store.DataSettings;
import dev.caisson.store.DatabaseUrl;
import dev.caisson.store.Store;
import java.nio.file.Path;
import java.util.Optional;

/// Database of a server, SQLite or PostgreSQL, as the configuration names it.
final class Database {
    private Database() {}

    static Store open(DataSettings data) {
        NativeLibraries.prepare(data.directory());
        return url(data).map(Store::open).orElseGet(() -> Store.open(file(data)));
    }

    /// Of a PostgreSQL database, if it is one.
    static Optional<DatabaseUrl> url(DataSettings data) {
        return data.databaseUrl()
                .map(url -> DatabaseUrl.of(url, data.databaseUser(), data.databasePassword()));
    }

    /// Of SQLite's database, if it is not.
    static Path file(DataSettings data) {
        return data.directory().resolve("caisson.db");
    }
}
