package dev.caisson.rest;

import dev.caisson.json.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/// The statements on requests that were made with a key.
final class KeptRows {
    /// One request of one caller.
    record Place(String owner, String key) {}

    private KeptRows() {}

    /// @return whether this is the first with its key
    static boolean insert(Handle handle, Place place, Kept kept, Instant now) {
        return handle.createUpdate(
                                """
                                INSERT INTO idempotency
                                    (owner, idempotency_key, digest, trace_id, created_at)
                                VALUES (:owner, :key, :digest, :trace, :now)
                                ON CONFLICT DO NOTHING
                                """)
                        .bind("owner", place.owner())
                        .bind("key", place.key())
                        .bind("digest", kept.digest())
                        .bind("trace", kept.traceId())
                        .bind("now", now.toEpochMilli())
                        .execute()
                == 1;
    }

    static Optional<Kept> find(Handle handle, Place place) {
        return handle.createQuery(
                        """
                        SELECT digest, trace_id, execution_id, status, body FROM idempotency
                        WHERE owner = :owner AND idempotency_key = :key
                        """)
                .bind("owner", place.owner())
                .bind("key", place.key())
                .map((row, _) -> kept(row))
                .findOne();
    }

    static int began(Handle handle, Place place, String executionId) {
        return handle.createUpdate(
                        """
                        UPDATE idempotency SET execution_id = :execution
                        WHERE owner = :owner AND idempotency_key = :key
                        """)
                .bind("owner", place.owner())
                .bind("key", place.key())
                .bind("execution", executionId)
                .execute();
    }

    static int answered(Handle handle, Place place, Kept.Answer answer) {
        return handle.createUpdate(
                        """
                        UPDATE idempotency SET status = :status, body = :body
                        WHERE owner = :owner AND idempotency_key = :key
                        """)
                .bind("owner", place.owner())
                .bind("key", place.key())
                .bind("status", answer.status())
                .bind("body", Json.text(answer.body()))
                .execute();
    }

    static int delete(Handle handle, Place place) {
        return handle.createUpdate(
                        """
                        DELETE FROM idempotency WHERE owner = :owner AND idempotency_key = :key
                        """)
                .bind("owner", place.owner())
                .bind("key", place.key())
                .execute();
    }

    /// Those that have an answer and are older than that.
    static int forget(Handle handle, Instant madeBefore) {
        return handle.createUpdate(
                        """
                        DELETE FROM idempotency
                        WHERE created_at < :before AND status IS NOT NULL
                        """)
                .bind("before", madeBefore.toEpochMilli())
                .execute();
    }

    /// Gives an answer to all that have none.
    static int settle(Handle handle, Kept.Answer answer) {
        return handle.createUpdate(
                        "UPDATE idempotency SET status = :status, body = :body WHERE status IS NULL")
                .bind("status", answer.status())
                .bind("body", Json.text(answer.body()))
                .execute();
    }

    private static Kept kept(ResultSet row) throws SQLException {
        var body = row.getString("body");
        var status = row.getInt("status");
        return new Kept(
                row.getString("digest"),
                row.getString("trace_id"),
                Optional.ofNullable(row.getString("execution_id")),
                Optional.ofNullable(body).map(json -> new Kept.Answer(status, Json.parse(json))));
    }
}
