package dev.caisson.identity;

import dev.caisson.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// SQL statements on the secrets of the vault.
final class VaultRows {
    record Line(String name, String keyId, Instant updated) {}

    private VaultRows() {}

    static void put(Transaction handle, String name, VaultKey.Sealed sealed, Instant now) {
        handle.update(
                        """
                        INSERT INTO secret (name, key_id, nonce, value, updated_at)
                        VALUES (:name, :key_id, :nonce, :value, :now)
                        ON CONFLICT (name) DO UPDATE
                        SET key_id = excluded.key_id, nonce = excluded.nonce,
                            value = excluded.value, updated_at = excluded.updated_at
                        """)
                .bind("name", name)
                .bind("key_id", sealed.keyId())
                .bind("nonce", sealed.nonce())
                .bind("value", sealed.value())
                .bind("now", now.toEpochMilli())
                .execute();
    }

    static boolean delete(Transaction handle, String name) {
        return handle.update("DELETE FROM secret WHERE name = :name").bind("name", name).execute()
                > 0;
    }

    static Optional<VaultKey.Sealed> find(Transaction handle, String name) {
        return handle.query("SELECT key_id, nonce, value FROM secret WHERE name = :name")
                .bind("name", name)
                .map(row ->
                        new VaultKey.Sealed(
                                row.getString("key_id"),
                                row.getString("nonce"),
                                row.getString("value")))
                .findOne();
    }

    /// How many there are beside the one of this name.
    static long others(Transaction handle, String name) {
        return handle.query("SELECT COUNT(*) FROM secret WHERE name <> :name")
                .bind("name", name)
                .mapTo(Long.class)
                .one();
    }

    static List<Line> all(Transaction handle) {
        return handle.query("SELECT name, key_id, updated_at FROM secret ORDER BY name")
                .map(row ->
                        new Line(
                                row.getString("name"),
                                row.getString("key_id"),
                                Instant.ofEpochMilli(row.getLong("updated_at"))))
                .list();
    }
}
