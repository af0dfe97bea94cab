package dev.caisson.webhooks;

import dev.caisson.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// SQL statements on webhook deliveries. One without a body waits for its execution to end.
final class DeliveryRows {
    private DeliveryRows() {}

    /// @param server where the execution runs
    static int insert(
            Transaction handle,
            String id,
            Webhooks.Expected expected,
            String url,
            Optional<String> server) {
        return handle.update(
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

    static int ready(Transaction handle, String executionId, String body, Instant due) {
        return handle.update(
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
    static List<Webhooks.Expected> abandoned(Transaction handle) {
        return handle.query(
                        """
                        SELECT owner, execution_id FROM webhook
                        WHERE body IS NULL AND NOT EXISTS (SELECT 1 FROM server
                            WHERE server.id = webhook.server)
                        """)
                .map(row ->
                        new Webhooks.Expected(
                                row.getString("owner"), row.getString("execution_id")))
                .list();
    }

    /// One whose time has come.
    record Due(String id, String owner, int attempts) {}

    /// The first of each owner.
    static List<Due> due(Transaction handle, Instant now, int ofEach) {
        return handle.query(
                        """
                        SELECT id, owner, attempts FROM (
                            SELECT id, owner, attempts, due_at,
                                ROW_NUMBER() OVER (PARTITION BY owner ORDER BY due_at) AS place
                            FROM webhook WHERE due_at <= :now) AS ranked
                        WHERE place <= :ofEach ORDER BY due_at
                        """)
                .bind("now", now.toEpochMilli())
                .bind("ofEach", ofEach)
                .map(row ->
                        new Due(
                                row.getString("id"),
                                row.getString("owner"),
                                row.getInt("attempts")))
                .list();
    }

    /// Takes a letter for one try. Of several servers that want it one gets it.
    static Optional<Delivery> take(Transaction handle, Due due, Instant next) {
        var taken =
                handle.update(
                                """
                                UPDATE webhook SET attempts = attempts + 1, due_at = :next
                                WHERE id = :id AND attempts = :attempts
                                """)
                        .bind("id", due.id())
                        .bind("attempts", due.attempts())
                        .bind("next", next.toEpochMilli())
                        .execute();
        return taken == 1
                ? handle.query("SELECT id, owner, url, body FROM webhook WHERE id = :id")
                        .bind("id", due.id())
                        .map(row -> letter(row, due.attempts()))
                        .findOne()
                : Optional.empty();
    }

    /// Undoes [#take] for a letter that could not be tried.
    static int putBack(Transaction handle, Delivery letter, Instant due) {
        return handle.update(
                        """
                        UPDATE webhook SET attempts = :attempts, due_at = :due
                        WHERE id = :id AND attempts = :attempts + 1
                        """)
                .bind("id", letter.id())
                .bind("attempts", letter.attempts())
                .bind("due", due.toEpochMilli())
                .execute();
    }

    static long count(Transaction handle, String owner) {
        return handle.query("SELECT COUNT(*) FROM webhook WHERE owner = :owner")
                .bind("owner", owner)
                .mapTo(Long.class)
                .one();
    }

    static Map<String, Long> bytes(Transaction handle) {
        return handle.query("SELECT owner, SUM(bytes) AS bytes FROM webhook GROUP BY owner")
                .numbers("owner", "bytes");
    }

    /// The oldest of an owner that has a result of more than so many bytes.
    static Optional<Large> oldestLarge(Transaction handle, String owner, int bytes) {
        return handle.query(
                        """
                        SELECT id, execution_id, body, bytes FROM webhook
                        WHERE owner = :owner AND bytes > :bytes ORDER BY due_at LIMIT 1
                        """)
                .bind("owner", owner)
                .bind("bytes", bytes)
                .map(row ->
                        new Large(
                                row.getString("id"),
                                row.getString("execution_id"),
                                row.getString("body"),
                                row.getLong("bytes")))
                .findOne();
    }

    record Large(String id, String executionId, String body, long bytes) {}

    static int replace(Transaction handle, String id, String body) {
        return handle.update("UPDATE webhook SET body = :body, bytes = :bytes WHERE id = :id")
                .bind("id", id)
                .bind("body", body)
                .bind("bytes", body.length())
                .execute();
    }

    static int delete(Transaction handle, String id) {
        return handle.update("DELETE FROM webhook WHERE id = :id").bind("id", id).execute();
    }

    static int deleteOf(Transaction handle, Collection<String> owners) {
        return owners.stream()
                .mapToInt(owner ->
                        handle.update("DELETE FROM webhook WHERE owner = :owner")
                                .bind("owner", owner)
                                .execute())
                .sum();
    }

    private static Delivery letter(ResultSet row, int attempts) throws SQLException {
        return new Delivery(
                row.getString("id"),
                row.getString("owner"),
                row.getString("url"),
                row.getString("body"),
                attempts);
    }
}
