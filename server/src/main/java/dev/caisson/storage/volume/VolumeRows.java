package dev.caisson.storage.volume;

import dev.caisson.storage.VolumeAccess;
import dev.caisson.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// SQL statements on volumes and their grants.
public final class VolumeRows {
    /// @param id names its directory; never used again
    /// @param owner the id of the caller who made it
    public record Row(String id, String name, String owner, String ownerName, Instant created) {
        public boolean hasOwnerOf(Row other) {
            return owner.equals(other.owner);
        }
    }

    private static final String SELECT =
            "SELECT v.id, v.name, v.owner, v.owner_name, v.created_at FROM volume v ";

    private VolumeRows() {}

    public static void insert(Transaction handle, Row row) {
        handle.update(
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
    public static Optional<Row> find(Transaction handle, String caller, String name) {
        return handle.query(
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
                .map(row -> row(row))
                .findOne();
    }

    /// Whether anybody has a volume of this name.
    public static boolean exists(Transaction handle, String name) {
        return handle.query("SELECT COUNT(*) FROM volume WHERE name = :name")
                        .bind("name", name)
                        .mapTo(Long.class)
                        .one()
                > 0;
    }

    public static Optional<Row> findById(Transaction handle, String id) {
        return handle.query(SELECT + "WHERE v.id = :id")
                .bind("id", id)
                .map(row -> row(row))
                .findOne();
    }

    /// Those a caller owns or was granted, in the order of their names.
    public static List<Row> list(Transaction handle, String caller) {
        return handle.query(
                        SELECT
                                + """
                                WHERE v.owner = :caller OR EXISTS (
                                    SELECT 1 FROM volume_grant g
                                    WHERE g.volume_id = v.id AND g.caller = :caller)
                                ORDER BY v.name
                                """)
                .bind("caller", caller)
                .map(row -> row(row))
                .list();
    }

    public static long owned(Transaction handle, String caller) {
        return handle.query("SELECT COUNT(*) FROM volume WHERE owner = :caller")
                .bind("caller", caller)
                .mapTo(Long.class)
                .one();
    }

    public static void delete(Transaction handle, String id) {
        handle.update("DELETE FROM volume_grant WHERE volume_id = :id").bind("id", id).execute();
        handle.update("DELETE FROM volume WHERE id = :id").bind("id", id).execute();
    }

    public static Map<String, VolumeAccess> grants(Transaction handle, String id) {
        var grants = new TreeMap<String, VolumeAccess>();
        handle.query("SELECT caller, access FROM volume_grant WHERE volume_id = :id")
                .bind("id", id)
                .map(row -> Map.entry(row.getString("caller"), row.getString("access")))
                .list()
                .forEach(entry ->
                        VolumeAccess.of(entry.getValue())
                                .ifPresent(access -> grants.put(entry.getKey(), access)));
        return grants;
    }

    /// A grant that is there already keeps its age.
    public static void grant(
            Transaction handle, String id, String caller, VolumeAccess access, Instant now) {
        var changed =
                handle.update(
                                """
                                UPDATE volume_grant SET access = :access
                                WHERE volume_id = :id AND caller = :caller
                                """)
                        .bind("id", id)
                        .bind("caller", caller)
                        .bind("access", access.word())
                        .execute();
        if (changed == 0) {
            handle.update(
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

    public static boolean revoke(Transaction handle, String id, String caller) {
        return handle.update("DELETE FROM volume_grant WHERE volume_id = :id AND caller = :caller")
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
