package dev.caisson.rest;

import dev.caisson.json.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/// The statements on requests that were made with a key.
final class KeptRows {
    /// One request of one caller.
    record Place(String owner, String key) {}

    private KeptRows() {}

    /// @param server which carries it out
    /// @return whether this is the first with its key
    static boolean insert(
            Handle handle, Place place, Kept kept, Instant now, Optional<String> server) {
        return handle.createUpdate(
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
        var body = Json.text(answer.body());
        return handle.createUpdate(
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

    static long count(Handle handle, String owner) {
        return handle.createQuery("SELECT COUNT(*) FROM idempotency WHERE owner = :owner")
                .bind("owner", owner)
                .mapTo(Long.class)
                .one();
    }

    /// What answers take, by owner. Those to failures are small.
    static Map<String, Long> bytes(Handle handle) {
        return handle.createQuery(
                        "SELECT owner, SUM(bytes) AS bytes FROM idempotency GROUP BY owner")
                .collectRows(
                        Collectors.toMap(
                                row -> row.getColumn("owner", String.class),
                                row -> row.getColumn("bytes", Long.class)));
    }

    /// One whose answer was given up.
    record Old(String key, String executionId, long bytes) {}

    /// Replaces the oldest answers of an owner.
    ///
    /// @param bytes that they have together, if there are so many
    /// @param instead says what, for an execution
    static List<Old> giveUp(
            Handle handle, String owner, long bytes, Function<String, Kept.Answer> instead) {
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

    private static List<Old> oldest(Handle handle, String owner) {
        return handle.createQuery(
                        """
                        SELECT idempotency_key, execution_id, bytes FROM idempotency
                        WHERE owner = :owner AND bytes > 0 ORDER BY created_at LIMIT :atMost
                        """)
                .bind("owner", owner)
                .bind("atMost", KeptAnswers.SWEEP_BATCH)
                .map((row, _) ->
                        new Old(
                                row.getString("idempotency_key"),
                                Optional.ofNullable(row.getString("execution_id")).orElse(""),
                                row.getLong("bytes")))
                .list();
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
    ///
    /// @return how many, never more than asked for
    static int forget(Handle handle, Instant madeBefore, int atMost) {
        return handle.createUpdate(
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
    static int forget(Handle handle, Place place, Instant madeBefore) {
        return handle.createUpdate(
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
    static int settle(Handle handle, Kept.Answer answer) {
        return handle.createUpdate(
                        """
                        UPDATE idempotency SET status = :status, body = :body
                        WHERE status IS NULL AND NOT EXISTS (SELECT 1 FROM server
                            WHERE server.id = idempotency.server)
                        """)
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
