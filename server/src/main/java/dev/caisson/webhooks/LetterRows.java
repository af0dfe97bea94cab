package dev.caisson.webhooks;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;

/// The statements on results on their way. One without a body waits for its execution to end.
final class LetterRows {
    private LetterRows() {}

    static int insert(Handle handle, String id, String executionId, String owner, String url) {
        return handle.createUpdate(
                        """
                        INSERT INTO webhook (id, execution_id, owner, url, attempts)
                        VALUES (:id, :execution, :owner, :url, 0)
                        """)
                .bind("id", id)
                .bind("execution", executionId)
                .bind("owner", owner)
                .bind("url", url)
                .execute();
    }

    static int ready(Handle handle, String executionId, String body, Instant due) {
        return handle.createUpdate(
                        """
                        UPDATE webhook SET body = :body, due_at = :due
                        WHERE execution_id = :execution AND body IS NULL
                        """)
                .bind("execution", executionId)
                .bind("body", body)
                .bind("due", due.toEpochMilli())
                .execute();
    }

    static List<Webhooks.Expected> waiting(Handle handle) {
        return handle.createQuery("SELECT owner, execution_id FROM webhook WHERE body IS NULL")
                .map((row, _) ->
                        new Webhooks.Expected(
                                row.getString("owner"), row.getString("execution_id")))
                .list();
    }

    static List<Letter> due(Handle handle, Instant now, int atMost) {
        return handle.createQuery(
                        """
                        SELECT id, owner, url, body, attempts FROM webhook
                        WHERE due_at <= :now ORDER BY due_at LIMIT :atMost
                        """)
                .bind("now", now.toEpochMilli())
                .bind("atMost", atMost)
                .map((row, _) -> letter(row))
                .list();
    }

    /// Takes a letter for one try. Of several servers that want it one gets it.
    static boolean take(Handle handle, Letter letter, Instant next) {
        return handle.createUpdate(
                                """
                                UPDATE webhook SET attempts = attempts + 1, due_at = :next
                                WHERE id = :id AND attempts = :attempts
                                """)
                        .bind("id", letter.id())
                        .bind("attempts", letter.attempts())
                        .bind("next", next.toEpochMilli())
                        .execute()
                == 1;
    }

    static int delete(Handle handle, String id) {
        return handle.createUpdate("DELETE FROM webhook WHERE id = :id").bind("id", id).execute();
    }

    private static Letter letter(ResultSet row) throws SQLException {
        return new Letter(
                row.getString("id"),
                row.getString("owner"),
                row.getString("url"),
                row.getString("body"),
                row.getInt("attempts"));
    }
}
