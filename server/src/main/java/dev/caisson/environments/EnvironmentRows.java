package dev.caisson.environments;

import dev.caisson.store.Transaction;
import java.time.Instant;
import java.util.List;

/// SQL statements on environments: which hash a name stands for.
final class EnvironmentRows {
    /// @param manifest as JSON, for a server whose own disk does not have the environment
    record Row(String name, String hash, String manifest, Instant bakedAt) {}

    private EnvironmentRows() {}

    static void put(Transaction handle, Row row) {
        remove(handle, row.name());
        handle.update(
                        """
                        INSERT INTO environment (name, hash, manifest, baked_at)
                        VALUES (:name, :hash, :manifest, :baked)
                        """)
                .bind("name", row.name())
                .bind("hash", row.hash())
                .bind("manifest", row.manifest())
                .bind("baked", row.bakedAt().toEpochMilli())
                .execute();
    }

    static int remove(Transaction handle, String name) {
        return handle.update("DELETE FROM environment WHERE name = :name")
                .bind("name", name)
                .execute();
    }

    static List<Row> list(Transaction handle) {
        return handle.query("SELECT name, hash, manifest, baked_at FROM environment ORDER BY name")
                .map(row ->
                        new Row(
                                row.getString("name"),
                                row.getString("hash"),
                                row.getString("manifest"),
                                Instant.ofEpochMilli(row.getLong("baked_at"))))
                .list();
    }
}
