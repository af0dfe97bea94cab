package dev.caisson.webhooks;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/// The statements on results on their way. One without a body waits for its execution to end.
final class LetterRows {
    private LetterRows() {}

    /// @param server where the execution runs
    static int insert(
            Handle handle,
            String id,
            Webhooks.Expected expected,
            String url,
            Optional<String> server) {
        return handle.createUpdate(
                        """
                        INSERT INTO webhook (id, execution_id, owner, url, attempts, server)
                        VALUES (:id, :execution, :owner, :url, 0, :server)
                        """)
                .bind("id", id)
                .bind("execution", expected.executionId())
                .bind("owner", expected.owner())
                .bind("url", url)
                .bind("server", server)
                .execute();
    }

    static int ready(Handle handle, String executionId, String body, Instant due) {
        return handle.createUpdate(
                        """
                        UPDATE webhook SET body = :body, bytes = :bytes, due_at = :due
                        WHERE execution_id = :execution AND body IS NULL
                        """)
                .bind("execution", executionId)
                .bind("body", body)
                .bind("bytes", body.length())
                .bind("due", due.toEpochMilli())
                .execute();
    }

    /// Those that wait for an execution whose server is gone.
    static List<Webhooks.Expected> abandoned(Handle handle) {
        return handle.createQuery(
                        """
                        SELECT owner, execution_id FROM webhook
                        WHERE body IS NULL AND NOT EXISTS (SELECT 1 FROM server
                            WHERE server.id = webhook.server)
                        """)
                .map((row, _) ->
                        new Webhooks.Expected(
                                row.getString("owner"), row.getString("execution_id")))
                .list();
    }

    /// One whose time has come.
    record Due(String id, String owner, int attempts) {}

    /// The first of each owner.
    static List<Due> due(Handle handle, Instant now, int ofEach) {
        return handle.createQuery(
                        """
                        SELECT id, owner, attempts FROM (
                            SELECT id, owner, attempts, due_at,
                                ROW_NUMBER() OVER (PARTITION BY owner ORDER BY due_at) AS place
                            FROM webhook WHERE due_at <= :now) AS ranked
                        WHERE place <= :ofEach ORDER BY due_at
                        """)
                .bind("now", now.toEpochMilli())
                .bind("ofEach", ofEach)
                .map((row, _) ->
                        new Due(
                                row.getString("id"),
                                row.getString("owner"),
                                row.getInt("attempts")))
                .list();
    }

    /// Takes a letter for one try. Of several servers that want it one gets it.
    static Optional<Letter> take(Handle handle, Due due, Instant next) {
        var taken =
                handle.createUpdate(
                                """
                                UPDATE webhook SET attempts = attempts + 1, due_at = :next
                                WHERE id = :id AND attempts = :attempts
                                """)
                        .bind("id", due.id())
                        .bind("attempts", due.attempts())
                        .bind("next", next.toEpochMilli())
                        .execute();
        return taken == 1
                ? handle.createQuery("SELECT id, owner, url, body FROM webhook WHERE id = :id")
                        .bind("id", due.id())
                        .map((row, _) -> letter(row, due.attempts()))
                        .findOne()
                : Optional.empty();
    }

    /// Undoes [#take] for a letter that could not be tried.
    static int putBack(Handle handle, Letter letter, Instant due) {
        return handle.createUpdate(
                        """
                        UPDATE webhook SET attempts = :attempts, due_at = :due
                        WHERE id = :id AND attempts = :attempts + 1
                        """)
                .bind("id", letter.id())
                .bind("attempts", letter.attempts())
                .bind("due", due.toEpochMilli())
                .execute();
    }

    static long count(Handle handle, String owner) {
        return handle.createQuery("SELECT COUNT(*) FROM webhook WHERE owner = :owner")
                .bind("owner", owner)
                .mapTo(Long.class)
                .one();
    }

    static Map<String, Long> bytes(Handle handle) {
        return handle.createQuery("SELECT owner, SUM(bytes) AS bytes FROM webhook GROUP BY owner")
                .collectRows(
                        Collectors.toMap(
                                row -> row.getColumn("owner", String.class),
                                row -> row.getColumn("bytes", Long.class)));
    }

    /// The oldest of an owner that has a result of more than so many bytes.
    static Optional<Large> oldestLarge(Handle handle, String owner, int bytes) {
        return handle.createQuery(
                        """
                        SELECT id, execution_id, body, bytes FROM webhook
                        WHERE owner = :owner AND bytes > :bytes ORDER BY due_at LIMIT 1
                        """)
                .bind("owner", owner)
                .bind("bytes", bytes)
                .map((row, _) ->
                        new Large(
                                row.getString("id"),
                                row.getString("execution_id"),
                                row.getString("body"),
                                row.getLong("bytes")))
                .findOne();
    }

    record Large(String id, String executionId, String body, long bytes) {}

    static int replace(Handle handle, String id, String body) {
        return handle.createUpdate("UPDATE webhook SET body = :body, bytes = :bytes WHERE id = :id")
                .bind("id", id)
                .bind("body", body)
                .bind("bytes", body.length())
                .execute();
    }

    static int delete(Handle handle, String id) {
        return handle.createUpdate("DELETE FROM webhook WHERE id = :id").bind("id", id).execute();
    }

    static int deleteOf(Handle handle, Collection<String> owners) {
        return owners.stream()
                .mapToInt(owner ->
                        handle.createUpdate("DELETE FROM webhook WHERE owner = :owner")
                                .bind("owner", owner)
                                .execute())
                .sum();
    }

    private static Letter letter(ResultSet row, int attempts) throws SQLException {
        return new Letter(
                row.getString("id"),
                row.getString("owner"),
                row.getString("url"),
                row.getString("body"),
                attempts);
    }
}
