package dev.caisson.workflow;

import dev.caisson.json.Json;
import dev.caisson.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// SQL statements on processes and their history.
final class ProcessRows {
    private static final String SELECT =
            """
            SELECT id, definition, owner, state, data, created_at, updated_at, keep_millis
            FROM process
            """;

    /// What a process takes beside its data, with its history.
    static final long OWN_BYTES = 1024;

    private ProcessRows() {}

    /// Leaves one alone that is there already.
    ///
    /// @param server which has it under way
    /// @return whether it was not
    static boolean insert(Transaction handle, WorkflowProcess process, Optional<String> server) {
        var data = Json.text(process.data());
        return handle.update(
                                """
                                INSERT INTO process (id, definition, owner, state, data, created_at,
                                    updated_at, keep_millis, ended_at, bytes, server)
                                VALUES (:id, :definition, :owner, :state, :data, :created, :updated,
                                    :keep, :ended, :bytes, :server)
                                ON CONFLICT (id) DO NOTHING
                                """)
                        .bind("id", process.id())
                        .bind("definition", process.definition().name())
                        .bind("owner", process.owner())
                        .bind("state", process.state())
                        .bind("data", data)
                        .bind("bytes", data.length())
                        .bind("created", process.created().toEpochMilli())
                        .bind("updated", process.updated().toEpochMilli())
                        .bind("keep", process.keep().map(Duration::toMillis))
                        .bind("ended", endedAt(process))
                        .bind("server", server)
                        .execute()
                == 1;
    }

    private static Optional<Long> endedAt(WorkflowProcess process) {
        return process.ended() ? Optional.of(process.updated().toEpochMilli()) : Optional.empty();
    }

    /// Replaces a process only if it still is where it was.
    static boolean replace(Transaction handle, WorkflowProcess before, WorkflowProcess after) {
        var data = Json.text(after.data());
        return handle.update(
                                """
                                UPDATE process
                                SET state = :state, data = :data, updated_at = :updated,
                                    ended_at = :ended, bytes = :bytes
                                WHERE id = :id AND state = :before
                                """)
                        .bind("state", after.state())
                        .bind("data", data)
                        .bind("bytes", data.length())
                        .bind("updated", after.updated().toEpochMilli())
                        .bind("ended", endedAt(after))
                        .bind("id", before.id())
                        .bind("before", before.state())
                        .execute()
                == 1;
    }

    static void remember(Transaction handle, String id, HistoryLine move) {
        handle.update(
                        """
                        INSERT INTO process_history
                            (process_id, step, from_state, to_state, actor, reason, at)
                        SELECT :id, COALESCE(MAX(step), 0) + 1, :from, :to, :actor, :reason, :at
                        FROM process_history WHERE process_id = :id
                        """)
                .bind("id", id)
                .bind("from", move.from())
                .bind("to", move.to())
                .bind("actor", move.actor())
                .bind("reason", move.reason())
                .bind("at", move.at().toEpochMilli())
                .execute();
    }

    static Optional<WorkflowProcess> find(Transaction handle, String id) {
        return handle.query(SELECT + "WHERE id = :id")
                .bind("id", id)
                .map(row -> process(row))
                .findOne();
    }

    /// Those that have not ended, and whose server is gone.
    static List<WorkflowProcess> abandoned(Transaction handle, Definition definition) {
        return handle.query(
                        SELECT
                                + """
                                WHERE ended_at IS NULL AND definition = :definition
                                    AND NOT EXISTS (SELECT 1 FROM server
                                        WHERE server.id = process.server)
                                ORDER BY created_at, id
                                """)
                .bind("definition", definition.name())
                .map(row -> process(row))
                .list();
    }

    static List<HistoryLine> history(Transaction handle, String id) {
        return handle.query(
                        """
                        SELECT from_state, to_state, actor, reason, at FROM process_history
                        WHERE process_id = :id ORDER BY step
                        """)
                .bind("id", id)
                .map(row -> move(row))
                .list();
    }

    /// @return how many, never more than asked for
    static int forget(Transaction handle, Instant now, int atMost) {
        return handle.update(
                        """
                        DELETE FROM process WHERE id IN (
                            SELECT id FROM process
                            WHERE ended_at IS NOT NULL AND keep_millis IS NOT NULL
                                AND created_at + keep_millis <= :now
                            ORDER BY created_at LIMIT :atMost)
                        """)
                .bind("now", now.toEpochMilli())
                .bind("atMost", atMost)
                .execute();
    }

    /// What ended tasks take, by owner. Each counts for more than its data.
    static Map<String, Long> taskBytes(Transaction handle) {
        return handle.query(
                        """
                        SELECT owner, SUM(bytes) + COUNT(*) * :own AS bytes FROM process
                        WHERE definition = 'task' AND ended_at IS NOT NULL GROUP BY owner
                        """)
                .bind("own", OWN_BYTES)
                .numbers("owner", "bytes");
    }

    /// One that has ended and may go.
    record Old(String id, long bytes) {}

    /// The tasks of an owner that ended first.
    static List<Old> oldestTasks(Transaction handle, String owner, int atMost) {
        return handle.query(
                        """
                        SELECT id, bytes FROM process
                        WHERE definition = 'task' AND ended_at IS NOT NULL AND owner = :owner
                        ORDER BY ended_at LIMIT :atMost
                        """)
                .bind("owner", owner)
                .bind("atMost", atMost)
                .map(row -> new Old(row.getString("id"), row.getLong("bytes") + OWN_BYTES))
                .list();
    }

    static int delete(Transaction handle, List<Old> old) {
        handle.executeEach(
                "DELETE FROM process WHERE id = :id AND ended_at IS NOT NULL",
                "id",
                old.stream().map(Old::id).toList());
        return old.size();
    }

    private static WorkflowProcess process(ResultSet row) throws SQLException {
        var state = row.getString("state");
        return new WorkflowProcess(
                row.getString("id"),
                Definition.named(row.getString("definition"), state),
                row.getString("owner"),
                state,
                Json.parse(row.getString("data")),
                Instant.ofEpochMilli(row.getLong("created_at")),
                Instant.ofEpochMilli(row.getLong("updated_at")),
                Optional.ofNullable(longOrNull(row, "keep_millis")).map(Duration::ofMillis));
    }

    private static HistoryLine move(ResultSet row) throws SQLException {
        return new HistoryLine(
                Optional.ofNullable(row.getString("from_state")),
                row.getString("to_state"),
                row.getString("actor"),
                row.getString("reason"),
                Instant.ofEpochMilli(row.getLong("at")));
    }

    private static @Nullable Long longOrNull(ResultSet row, String column) throws SQLException {
        var value = row.getLong(column);
        return row.wasNull() ? null : value;
    }
}
