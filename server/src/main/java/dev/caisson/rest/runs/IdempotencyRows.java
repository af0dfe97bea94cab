package dev.caisson.rest.runs;

import dev.caisson.json.Json;
import dev.caisson.rest.IdempotencyRetention;
import dev.caisson.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// SQL statements on requests that were made with an `Idempotency-Key`.
public final class IdempotencyRows {
    /// One request of one caller.
    record Place(String owner, String key) {}

    private IdempotencyRows() {}

    /// @param server which carries it out
    /// @return whether this is the first with its key
    static boolean insert(
            Transaction handle,
            Place place,
            IdempotencyRecord kept,
            Instant now,
            Optional<String> server) {
        return handle.update(
                                """
                                INSERT INTO idempotency
                                    (owner, idempotency_key, digest, trace_id, created_at, server)
                                VALUES (:owner, :key, :digest, :trace, :now, :server)
                                ON CONFLICT DO NOTHING
                                """)
                        .bind("owner", place.owner())
                        .bind("key", place.key())
                        .bind("digest", kept.digest())
                        .bind("trace", kept.traceId())
                        .bind("now", now.toEpochMilli())
                        .bind("server", server)
                        .execute()
                == 1;
    }

    static Optional<IdempotencyRecord> find(Transaction handle, Place place) {
        return handle.query(
                        """
                        SELECT digest, trace_id, execution_id, status, body FROM idempotency
                        WHERE owner = :owner AND idempotency_key = :key
                        """)
                .bind("owner", place.owner())
                .bind("key", place.key())
                .map(row -> kept(row))
                .findOne();
    }

    static int began(Transaction handle, Place place, String executionId) {
        return handle.update(
                        """
                        UPDATE idempotency SET execution_id = :execution
                        WHERE owner = :owner AND idempotency_key = :key
                        """)
                .bind("owner", place.owner())
                .bind("key", place.key())
                .bind("execution", executionId)
                .execute();
    }

    static int answered(Transaction handle, Place place, IdempotencyRecord.Answer answer) {
        var body = Json.text(answer.body());
        return handle.update(
                        """
                        UPDATE idempotency SET status = :status, body = :body, bytes = :bytes
                        WHERE owner = :owner AND idempotency_key = :key
                        """)
                .bind("owner", place.owner())
                .bind("key", place.key())
                .bind("status", answer.status())
                .bind("body", body)
                .bind("bytes", answer.failed() ? 0 : body.length())
                .execute();
    }

    public static long count(Transaction handle, String owner) {
        return handle.query("SELECT COUNT(*) FROM idempotency WHERE owner = :owner")
                .bind("owner", owner)
                .mapTo(Long.class)
                .one();
    }

    /// What answers take, by owner. Those to failures are small.
    public static Map<String, Long> bytes(Transaction handle) {
        return handle.query("SELECT owner, SUM(bytes) AS bytes FROM idempotency GROUP BY owner")
                .numbers("owner", "bytes");
    }

    /// One whose answer was given up.
    public record Old(String key, String executionId, long bytes) {}

    /// Replaces the oldest answers of an owner.
    ///
    /// @param bytes that they have together, if there are so many
    /// @param instead says what, for an execution
    public static List<Old> giveUp(
            Transaction handle,
            String owner,
            long bytes,
            Function<String, IdempotencyRecord.Answer> instead) {
        var old = enough(oldest(handle, owner), bytes);
        for (var one : old) {
            answered(handle, new Place(owner, one.key()), instead.apply(one.executionId()));
        }
        return old;
    }

    private static List<Old> enough(List<Old> old, long bytes) {
        var some = new ArrayList<Old>();
        var left = bytes;
        for (var one : old) {
            if (left > 0) {
                some.add(one);
                left -= one.bytes();
            }
        }
        return some;
    }

    private static List<Old> oldest(Transaction handle, String owner) {
        return handle.query(
                        """
                        SELECT idempotency_key, execution_id, bytes FROM idempotency
                        WHERE owner = :owner AND bytes > 0 ORDER BY created_at LIMIT :atMost
                        """)
                .bind("owner", owner)
                .bind("atMost", IdempotencyRetention.SWEEP_BATCH)
                .map(row ->
                        new Old(
                                row.getString("idempotency_key"),
                                Optional.ofNullable(row.getString("execution_id")).orElse(""),
                                row.getLong("bytes")))
                .list();
    }

    static int delete(Transaction handle, Place place) {
        return handle.update(
                        """
                        DELETE FROM idempotency WHERE owner = :owner AND idempotency_key = :key
                        """)
                .bind("owner", place.owner())
                .bind("key", place.key())
                .execute();
    }

    /// Those that have an answer and are older than that.
    ///
    /// @return how many, never more than asked for
    public static int forget(Transaction handle, Instant madeBefore, int atMost) {
        return handle.update(
                        """
                        DELETE FROM idempotency WHERE (owner, idempotency_key) IN (
                            SELECT owner, idempotency_key FROM idempotency
                            WHERE created_at < :before AND status IS NOT NULL
                            ORDER BY created_at LIMIT :atMost)
                        """)
                .bind("before", madeBefore.toEpochMilli())
                .bind("atMost", atMost)
                .execute();
    }

    /// The same for one.
    static int forget(Transaction handle, Place place, Instant madeBefore) {
        return handle.update(
                        """
                        DELETE FROM idempotency WHERE owner = :owner AND idempotency_key = :key
                            AND created_at < :before AND status IS NOT NULL
                        """)
                .bind("owner", place.owner())
                .bind("key", place.key())
                .bind("before", madeBefore.toEpochMilli())
                .execute();
    }

    /// Gives an answer to all that have none and whose server is gone.
    static int settle(Transaction handle, IdempotencyRecord.Answer answer) {
        return handle.update(
                        """
                        UPDATE idempotency SET status = :status, body = :body
                        WHERE status IS NULL AND NOT EXISTS (SELECT 1 FROM server
                            WHERE server.id = idempotency.server)
                        """)
                .bind("status", answer.status())
                .bind("body", Json.text(answer.body()))
                .execute();
    }

    private static IdempotencyRecord kept(ResultSet row) throws SQLException {
        var body = row.getString("body");
        var status = row.getInt("status");
        return new IdempotencyRecord(
                row.getString("digest"),
                row.getString("trace_id"),
                Optional.ofNullable(row.getString("execution_id")),
                Optional.ofNullable(body)
                        .map(json -> new IdempotencyRecord.Answer(status, Json.parse(json))));
    }
}
