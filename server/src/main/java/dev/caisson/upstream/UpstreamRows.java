package dev.caisson.upstream;

import dev.caisson.json.Json;
import dev.caisson.store.Transaction;
import dev.caisson.upstream.connection.Era;
import dev.caisson.upstream.connection.LinkState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// SQL statements on upstreams. An entry is kept as it was written.
final class UpstreamRows {
    private static final String SELECT =
            """
            SELECT id, origin, settings, era, take_first, created_at, updated_at, revision, refresh_at,
                restart_at, state, trouble, listed_at
            FROM upstream
            """;

    private UpstreamRows() {}

    static void put(
            Transaction handle,
            String id,
            StoredUpstream.Origin origin,
            ObjectNode given,
            boolean takesFirst,
            Instant now) {
        handle.update(
                        """
                        INSERT INTO upstream
                            (id, origin, settings, take_first, created_at, updated_at, revision)
                        VALUES (:id, :origin, :settings, :first, :now, :now, :now)
                        ON CONFLICT (id) DO UPDATE
                        SET origin = excluded.origin, settings = excluded.settings,
                            take_first = excluded.take_first, updated_at = excluded.updated_at,
                            era = NULL, state = NULL, trouble = NULL, listed_at = 0,
                            revision = CASE WHEN excluded.revision > upstream.revision
                                THEN excluded.revision ELSE upstream.revision + 1 END
                        """)
                .bind("id", id)
                .bind("origin", origin.word())
                .bind("settings", Json.text(given))
                .bind("first", takesFirst ? 1L : 0L)
                .bind("now", now.toEpochMilli())
                .execute();
    }

    static boolean delete(Transaction handle, String id) {
        return handle.update("DELETE FROM upstream WHERE id = :id").bind("id", id).execute() > 0;
    }

    /// Something of its tools is another now.
    static void touch(Transaction handle, String id) {
        handle.update("UPDATE upstream SET revision = revision + 1 WHERE id = :id")
                .bind("id", id)
                .execute();
    }

    static void speaks(Transaction handle, String id, Era era) {
        handle.update("UPDATE upstream SET era = :era WHERE id = :id")
                .bind("id", id)
                .bind("era", era.word())
                .execute();
    }

    static void firstTaken(Transaction handle, String id) {
        handle.update("UPDATE upstream SET take_first = 0 WHERE id = :id").bind("id", id).execute();
    }

    static void wantRefresh(Transaction handle, String id, Instant now) {
        handle.update(
                        """
                        UPDATE upstream SET refresh_at = CASE WHEN :now > refresh_at
                            THEN :now ELSE refresh_at + 1 END
                        WHERE id = :id
                        """)
                .bind("id", id)
                .bind("now", now.toEpochMilli())
                .execute();
    }

    static void wantRestart(Transaction handle, String id, Instant now) {
        handle.update(
                        """
                        UPDATE upstream SET restart_at = CASE WHEN :now > restart_at
                            THEN :now ELSE restart_at + 1 END
                        WHERE id = :id
                        """)
                .bind("id", id)
                .bind("now", now.toEpochMilli())
                .execute();
    }

    /// What the server that serves it sees; no change of it.
    static void noted(Transaction handle, String id, StoredUpstream.Noted noted) {
        handle.update(
                        """
                        UPDATE upstream
                        SET state = :state, trouble = :trouble, listed_at = :listed
                        WHERE id = :id
                        """)
                .bind("id", id)
                .bind("state", noted.state().word())
                .bind("trouble", noted.trouble())
                .bind("listed", noted.listed().map(Instant::toEpochMilli).orElse(0L))
                .execute();
    }

    static Optional<StoredUpstream> find(Transaction handle, String id) {
        return handle.query(SELECT + "WHERE id = :id")
                .bind("id", id)
                .map(row -> upstream(row))
                .findOne();
    }

    static List<StoredUpstream> all(Transaction handle) {
        return handle.query(SELECT + "ORDER BY id").map(row -> upstream(row)).list();
    }

    /// What tells whether anything changed, or is wanted.
    static Map<String, String> marks(Transaction handle) {
        List<Map.Entry<String, String>> rows =
                handle.query("SELECT id, revision, refresh_at, restart_at FROM upstream")
                        .map(row ->
                                Map.entry(
                                        row.getString("id"),
                                        row.getLong("revision")
                                                + " "
                                                + row.getLong("refresh_at")
                                                + " "
                                                + row.getLong("restart_at")))
                        .list();
        return rows.stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static StoredUpstream upstream(ResultSet row) throws SQLException {
        var trouble = row.getString("trouble");
        var listed = row.getLong("listed_at");
        return new StoredUpstream(
                row.getString("id"),
                StoredUpstream.Origin.of(row.getString("origin")),
                (ObjectNode) Json.parse(row.getString("settings")),
                Optional.ofNullable(row.getString("era")).flatMap(Era::of),
                row.getLong("take_first") != 0,
                Instant.ofEpochMilli(row.getLong("created_at")),
                Instant.ofEpochMilli(row.getLong("updated_at")),
                row.getLong("revision"),
                Instant.ofEpochMilli(row.getLong("refresh_at")),
                Instant.ofEpochMilli(row.getLong("restart_at")),
                Optional.ofNullable(row.getString("state"))
                        .map(word ->
                                new StoredUpstream.Noted(
                                        LinkState.of(word),
                                        Optional.ofNullable(trouble),
                                        listed == 0
                                                ? Optional.empty()
                                                : Optional.of(Instant.ofEpochMilli(listed)))));
    }
}
