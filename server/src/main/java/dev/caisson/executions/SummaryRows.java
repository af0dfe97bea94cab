package dev.caisson.executions;

import dev.caisson.call.ReplyMode;
import dev.caisson.store.SqlQuery;
import dev.caisson.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// SQL statements on the lines of lists of executions. A line has its own table, so that a list
/// reads nothing that may be large: neither programs nor what they handed over nor what callers
/// sent along.
final class SummaryRows {
    private static final String NEWEST_FIRST =
            " ORDER BY p.created_at DESC, p.id DESC LIMIT :atMost";

    private SummaryRows() {}

    static void insert(Transaction handle, RunStart beginning, Optional<EndTransition> end) {
        var request = beginning.request();
        handle.update(
                        """
                        INSERT INTO execution_line (process_id, trace_id, thread, language,
                            delivery, preview)
                        VALUES (:id, :traceId, :thread, :language, :delivery, :preview)
                        """)
                .bind("id", beginning.id())
                .bind("traceId", request.traceId())
                .bind("thread", request.thread().map(ExecutionRows::storable))
                .bind("language", request.language())
                .bind("delivery", request.delivery().word())
                .bind("preview", beginning.code().map(Preview::of))
                .execute();
        end.ifPresent(how -> end(handle, beginning.id(), how.completion()));
    }

    /// The moment is that of the process.
    static void end(Transaction handle, String id, Completion completion) {
        handle.update(
                        """
                        UPDATE execution_line SET exit_code = :exitCode, wall_millis = :wall,
                            ended_at = (SELECT p.ended_at FROM process p WHERE p.id = :id)
                        WHERE process_id = :id
                        """)
                .bind("id", id)
                .bind("exitCode", completion.ended().exitCode())
                .bind("wall", completion.used().wallMillis())
                .execute();
    }

    /// @param after those behind it
    /// @param last no further than this one
    static List<ListedExecution> list(
            Transaction handle,
            Optional<String> owner,
            ExecutionFilter filter,
            Optional<Cursor> after,
            Optional<Cursor> last,
            int atMost) {
        var query =
                handle.query(
                        """
                        SELECT p.id, p.owner, p.state, p.created_at, l.ended_at, l.trace_id,
                            l.language, l.thread, l.delivery, l.exit_code, l.wall_millis, l.preview
                        FROM process p JOIN execution e ON e.process_id = p.id
                            JOIN execution_line l ON l.process_id = p.id
                        WHERE p.definition = 'execution'
                        """
                                + ExecutionRows.ownedBy(owner)
                                + filter.conditions()
                                + between(after, last)
                                + NEWEST_FIRST);
        filter.values().forEach(query::bind);
        bind(query, after, last);
        return query.bindMap(ExecutionRows.values(owner))
                .bind("atMost", atMost)
                .map(row -> line(row))
                .list();
    }

    private static String between(Optional<Cursor> after, Optional<Cursor> last) {
        return (after.isPresent() ? " AND (p.created_at, p.id) < (:afterCreated, :afterId)" : "")
                + (last.isPresent() ? " AND (p.created_at, p.id) >= (:lastCreated, :lastId)" : "");
    }

    private static void bind(SqlQuery query, Optional<Cursor> after, Optional<Cursor> last) {
        after.ifPresent(cursor ->
                query.bind("afterCreated", cursor.created().toEpochMilli())
                        .bind("afterId", cursor.id()));
        last.ifPresent(cursor ->
                query.bind("lastCreated", cursor.created().toEpochMilli())
                        .bind("lastId", cursor.id()));
    }

    /// The next ones, whatever they are.
    static List<ExecutionScan.Head> heads(
            Transaction handle, Optional<String> owner, Optional<Cursor> after, int atMost) {
        var query =
                handle.query(
                        """
                        SELECT p.id, p.created_at, e.bytes
                        FROM process p JOIN execution e ON e.process_id = p.id
                        WHERE p.definition = 'execution'
                        """
                                + ExecutionRows.ownedBy(owner)
                                + between(after, Optional.empty())
                                + NEWEST_FIRST);
        bind(query, after, Optional.empty());
        return query.bindMap(ExecutionRows.values(owner))
                .bind("atMost", atMost)
                .map(row ->
                        new ExecutionScan.Head(
                                new Cursor(
                                        Instant.ofEpochMilli(row.getLong("created_at")),
                                        row.getString("id")),
                                row.getLong("bytes")))
                .list();
    }

    /// Those that were written before there were lines.
    static List<String> unread(Transaction handle, int atMost) {
        return handle.query(
                        """
                        SELECT process_id FROM execution_line WHERE delivery IS NULL LIMIT :atMost
                        """)
                .bind("atMost", atMost)
                .mapTo(String.class)
                .list();
    }

    /// Takes what its line lacks from the rest of the execution.
    static void read(Transaction handle, String id) {
        var record = ExecutionRows.find(handle, id);
        record.flatMap(ExecutionRecord::completion)
                .ifPresent(completion -> end(handle, id, completion));
        handle.update("UPDATE execution_line SET delivery = :word WHERE process_id = :id")
                .bind("id", id)
                .bind("word", record.map(found -> found.request().delivery().word()).orElse(""))
                .execute();
    }

    private static ListedExecution line(ResultSet row) throws SQLException {
        return new ListedExecution(
                row.getString("id"),
                row.getString("owner"),
                ExecutionRows.status(row),
                Instant.ofEpochMilli(row.getLong("created_at")),
                number(row, "ended_at").map(Instant::ofEpochMilli),
                row.getString("trace_id"),
                row.getString("language"),
                Optional.ofNullable(row.getString("thread")),
                Optional.ofNullable(row.getString("delivery")).orElse(ReplyMode.INLINE.word()),
                number(row, "exit_code").map(Math::toIntExact),
                number(row, "wall_millis"),
                Optional.ofNullable(row.getString("preview")));
    }

    private static Optional<Long> number(ResultSet row, String column) throws SQLException {
        var value = row.getLong(column);
        return row.wasNull() ? Optional.empty() : Optional.of(value);
    }
}
