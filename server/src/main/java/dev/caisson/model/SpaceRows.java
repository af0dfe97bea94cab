package dev.caisson.model;

import dev.caisson.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// SQL statements on spaces and their grants.
final class SpaceRows {
    /// Space as it is stored.
    ///
    /// @param name empty for the home of its owner
    record Row(
            long number,
            Optional<String> name,
            String owner,
            String ownerName,
            String label,
            long modelRevision,
            long entities) {}

    private static final String SELECT =
            """
            SELECT s.number, s.name, s.owner, s.owner_name, s.label, s.model_revision, s.entities
            FROM space s
            """;

    private SpaceRows() {}

    /// @return whether neither the name nor the home was there
    static boolean insert(Transaction handle, Row row, Instant now) {
        return handle.update(
                                """
                                INSERT INTO space (number, name, home_of, owner, owner_name, label,
                                    model_revision, entities, created_at)
                                VALUES (:number, :name, :home, :owner, :ownerName, :label, 0, 0,
                                    :now)
                                ON CONFLICT DO NOTHING
                                """)
                        .bind("number", row.number())
                        .bind("name", row.name())
                        .bind("home", row.name().isPresent() ? null : row.owner())
                        .bind("owner", row.owner())
                        .bind("ownerName", row.ownerName())
                        .bind("label", row.label())
                        .bind("now", now.toEpochMilli())
                        .execute()
                == 1;
    }

    static Optional<Row> home(Transaction handle, String caller) {
        return handle.query(SELECT + "WHERE s.home_of = :caller")
                .bind("caller", caller)
                .map(row -> row(row))
                .findOne();
    }

    static Optional<Row> named(Transaction handle, String name) {
        return handle.query(SELECT + "WHERE s.name = :name")
                .bind("name", name)
                .map(row -> row(row))
                .findOne();
    }

    /// The named ones that a caller owns or was granted, in the order of their names.
    static List<Row> list(Transaction handle, String caller) {
        return handle.query(
                        SELECT
                                + """
                                WHERE s.name IS NOT NULL AND (s.owner = :caller OR EXISTS (
                                    SELECT 1 FROM space_grant g
                                    WHERE g.space = s.number AND g.caller = :caller))
                                ORDER BY s.name
                                """)
                .bind("caller", caller)
                .map(row -> row(row))
                .list();
    }

    static long owned(Transaction handle, String caller) {
        return count(
                handle,
                "SELECT COUNT(*) FROM space WHERE owner = :of AND name IS NOT NULL",
                caller);
    }

    static Optional<SpaceAccess> granted(Transaction handle, long space, String caller) {
        return handle.query(
                        """
                        SELECT access FROM space_grant
                        WHERE space = :space AND caller = :caller
                        """)
                .bind("space", space)
                .bind("caller", caller)
                .mapTo(String.class)
                .findOne()
                .flatMap(SpaceAccess::of);
    }

    static List<SpaceGrant> grants(Transaction handle, long space) {
        return handle.query(
                        "SELECT caller, access FROM space_grant WHERE space = :space ORDER BY caller")
                .bind("space", space)
                .map(row ->
                        new SpaceGrant(
                                row.getString("caller"),
                                SpaceAccess.of(row.getString("access")).orElseThrow()))
                .list();
    }

    static long grantees(Transaction handle, long space) {
        return count(handle, "SELECT COUNT(*) FROM space_grant WHERE space = :of", space);
    }

    static void grant(Transaction handle, long space, SpaceGrant grant) {
        handle.update(
                        """
                        INSERT INTO space_grant (space, caller, access)
                        VALUES (:space, :caller, :access)
                        ON CONFLICT (space, caller) DO UPDATE SET access = excluded.access
                        """)
                .bind("space", space)
                .bind("caller", grant.caller())
                .bind("access", grant.access().word())
                .execute();
    }

    static boolean revoke(Transaction handle, long space, String caller) {
        return handle.execute(
                        "DELETE FROM space_grant WHERE space = ? AND caller = ?", space, caller)
                > 0;
    }

    static void delete(Transaction handle, long space) {
        handle.execute("DELETE FROM space_grant WHERE space = ?", space);
        EntityRows.deleteAll(handle, space);
        ClassRows.deleteAll(handle, space);
        handle.execute("DELETE FROM space WHERE number = ?", space);
    }

    private static long count(Transaction handle, String sql, Object of) {
        return handle.query(sql).bind("of", of).mapTo(Long.class).one();
    }

    private static Row row(ResultSet row) throws SQLException {
        return new Row(
                row.getLong("number"),
                Optional.ofNullable(row.getString("name")),
                row.getString("owner"),
                row.getString("owner_name"),
                row.getString("label"),
                row.getLong("model_revision"),
                row.getLong("entities"));
    }
}
