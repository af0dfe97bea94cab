package dev.caisson.storage;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/// The statements on volumes.
final class VolumeRows {
    /// @param id names its directory; never used again
    /// @param owner the id of the caller who made it
    record Row(String id, String name, String owner, String ownerName, Instant created) {
        boolean hasOwnerOf(Row other) {
            return owner.equals(other.owner);
        }
    }

    private static final String SELECT =
            "SELECT v.id, v.name, v.owner, v.owner_name, v.created_at FROM volume v ";

    private VolumeRows() {}

    static void insert(Handle handle, Row row) {
        handle.createUpdate(
                        """
                        INSERT INTO volume (id, name, owner, owner_name, created_at)
                        VALUES (:id, :name, :owner, :ownerName, :created)
                        """)
                .bind("id", row.id())
                .bind("name", row.name())
                .bind("owner", row.owner())
                .bind("ownerName", row.ownerName())
                .bind("created", row.created().toEpochMilli())
                .execute();
    }

    /// What a caller means by a name: its own volume, or else the one that was granted to it first.
    static Optional<Row> find(Handle handle, String caller, String name) {
        return handle.createQuery(
                        SELECT
                                + """
                                LEFT JOIN volume_grant g
                                    ON g.volume_id = v.id AND g.caller = :caller
                                WHERE v.name = :name AND (v.owner = :caller OR g.caller IS NOT NULL)
                                ORDER BY CASE WHEN v.owner = :caller THEN 0 ELSE 1 END,
                                    g.granted_at, v.id
                                LIMIT 1
                                """)
                .bind("caller", caller)
                .bind("name", name)
                .map((row, _) -> row(row))
                .findOne();
    }

    static Optional<Row> findById(Handle handle, String id) {
        return handle.createQuery(SELECT + "WHERE v.id = :id")
                .bind("id", id)
                .map((row, _) -> row(row))
                .findOne();
    }

    /// Those a caller owns or was granted, in the order of their names.
    static List<Row> list(Handle handle, String caller) {
        return handle.createQuery(
                        SELECT
                                + """
                                WHERE v.owner = :caller OR EXISTS (
                                    SELECT 1 FROM volume_grant g
                                    WHERE g.volume_id = v.id AND g.caller = :caller)
                                ORDER BY v.name
                                """)
                .bind("caller", caller)
                .map((row, _) -> row(row))
                .list();
    }

    static long owned(Handle handle, String caller) {
        return handle.createQuery("SELECT COUNT(*) FROM volume WHERE owner = :caller")
                .bind("caller", caller)
                .mapTo(Long.class)
                .one();
    }

    static void delete(Handle handle, String id) {
        handle.createUpdate("DELETE FROM volume_grant WHERE volume_id = :id")
                .bind("id", id)
                .execute();
        handle.createUpdate("DELETE FROM volume WHERE id = :id").bind("id", id).execute();
    }

    static Map<String, Access> grants(Handle handle, String id) {
        var grants = new TreeMap<String, Access>();
        handle.createQuery("SELECT caller, access FROM volume_grant WHERE volume_id = :id")
                .bind("id", id)
                .map((row, _) -> Map.entry(row.getString("caller"), row.getString("access")))
                .forEach(entry ->
                        Access.of(entry.getValue())
                                .ifPresent(access -> grants.put(entry.getKey(), access)));
        return grants;
    }

    /// A grant that is there already keeps its age.
    static void grant(Handle handle, String id, String caller, Access access, Instant now) {
        var changed =
                handle.createUpdate(
                                """
                                UPDATE volume_grant SET access = :access
                                WHERE volume_id = :id AND caller = :caller
                                """)
                        .bind("id", id)
                        .bind("caller", caller)
                        .bind("access", access.word())
                        .execute();
        if (changed == 0) {
            handle.createUpdate(
                            """
                            INSERT INTO volume_grant (volume_id, caller, access, granted_at)
                            VALUES (:id, :caller, :access, :now)
                            """)
                    .bind("id", id)
                    .bind("caller", caller)
                    .bind("access", access.word())
                    .bind("now", now.toEpochMilli())
                    .execute();
        }
    }

    static boolean revoke(Handle handle, String id, String caller) {
        return handle.createUpdate(
                                "DELETE FROM volume_grant WHERE volume_id = :id AND caller = :caller")
                        .bind("id", id)
                        .bind("caller", caller)
                        .execute()
                > 0;
    }

    private static Row row(ResultSet row) throws SQLException {
        return new Row(
                row.getString("id"),
                row.getString("name"),
                row.getString("owner"),
                row.getString("owner_name"),
                Instant.ofEpochMilli(row.getLong("created_at")));
    }
}
