package dev.caisson.executions;

import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// SQL statements on executions. State, times and completion are those of the process; the table of
/// executions has the rest.
final class ExecutionRows {
    private static final String COLUMNS =
            """
            SELECT p.id, p.owner, p.state, p.data, p.created_at, p.ended_at, e.request, e.preview,
            """;
    static final String TABLES =
            """
             FROM process p JOIN execution e ON e.process_id = p.id
            """;
    private static final String WITHOUT_CODE = COLUMNS + "NULL AS code" + TABLES;

    /// Longer than any request within its limits. One that was kept before there were such is read
    /// without what the caller sent along.
    static final int REQUEST_LENGTH_MAX = 1 << 20;

    private static final char REPLACEMENT = '\ufffd';

    private ExecutionRows() {}

    /// The one that began it, where that is known.
    static Optional<String> server(Transaction handle, String id) {
        return handle.query("SELECT server FROM process WHERE id = :id AND server IS NOT NULL")
                .bind("id", id)
                .mapTo(String.class)
                .findOne();
    }

    /// @param end when it has ended already
    static void insert(Transaction handle, RunStart beginning, Optional<EndTransition> end) {
        var request = beginning.request();
        var requestJson = Json.text(Records.tree(request));
        // A program may hold characters that a text column may not.
        var codeJson = beginning.code().map(text -> Json.text(Json.tree(text)));
        long own = (long) requestJson.length() + codeJson.map(String::length).orElse(0);
        handle.update(
                        """
                        INSERT INTO execution (process_id, trace_id, thread, language, bytes,
                            request, preview, code, output)
                        VALUES (:id, :traceId, :thread, :language, :bytes,
                            :request, :preview, :code, :output)
                        """)
                .bind("id", beginning.id())
                .bind("traceId", request.traceId())
                .bind("thread", request.thread().map(ExecutionRows::storable))
                .bind("language", request.language())
                .bind("bytes", own + end.map(EndTransition::bytes).orElse(0L))
                .bind("request", requestJson)
                .bind("preview", beginning.code().map(Preview::of))
                .bind("code", codeJson)
                .bind("output", end.flatMap(EndTransition::output))
                .execute();
        SummaryRows.insert(handle, beginning, end);
        end.ifPresent(how -> NetworkRows.insert(handle, beginning.id(), how.completion()));
    }

    /// A caller's own name, which may hold what not every database takes.
    static String storable(String name) {
        return name.replace('\0', REPLACEMENT);
    }

    static void end(Transaction handle, String id, EndTransition end) {
        handle.update(
                        "UPDATE execution SET bytes = bytes + :bytes, output = :output"
                                + " WHERE process_id = :id")
                .bind("bytes", end.bytes())
                .bind("output", end.output())
                .bind("id", id)
                .execute();
        SummaryRows.end(handle, id, end.completion());
        NetworkRows.insert(handle, id, end.completion());
    }

    /// Takes back what an end added that was not its own.
    static void takeBack(Transaction handle, String id, EndTransition wrong) {
        handle.execute(
                "UPDATE execution SET bytes = bytes - ? WHERE process_id = ?", wrong.bytes(), id);
    }

    static Optional<ExecutionRecord> find(Transaction handle, String id) {
        return handle.query(COLUMNS + "e.code" + TABLES + "WHERE p.id = :id")
                .bind("id", id)
                .map(row -> execution(row))
                .findOne();
    }

    /// The newest, for a caller may use one trace for several calls.
    static Optional<ExecutionRecord> ofTrace(
            Transaction handle, Optional<String> owner, String trace) {
        return handle.query(
                        COLUMNS
                                + "e.code"
                                + TABLES
                                + "WHERE e.trace_id = :trace"
                                + ownedBy(owner)
                                + " ORDER BY p.created_at DESC, p.id DESC LIMIT 1")
                .bindMap(values(owner))
                .bind("trace", trace)
                .map(row -> execution(row))
                .findOne();
    }

    static String ownedBy(Optional<String> owner) {
        return owner.isPresent() ? " AND p.owner = :owner" : "";
    }

    static Map<String, Object> values(Optional<String> owner) {
        return owner.<Map<String, Object>>map(id -> Map.of("owner", id)).orElse(Map.of());
    }

    static List<ExecutionRecord> unfinished(Transaction handle) {
        return handle.query(WITHOUT_CODE + "WHERE p.ended_at IS NULL ORDER BY p.created_at, p.id")
                .map(row -> execution(row))
                .list();
    }

    /// One that has ended and may go.
    record Old(String id, String owner, long bytes) {}

    /// Those that ended first.
    static List<Old> oldest(Transaction handle, Instant endedBy, int atMost) {
        return handle.query(
                        "SELECT p.id, p.owner, e.bytes"
                                + TABLES
                                + """
                                WHERE p.definition = 'execution' AND p.ended_at IS NOT NULL
                                    AND p.ended_at <= :endedBy
                                ORDER BY p.ended_at, p.id LIMIT :atMost
                                """)
                .bind("endedBy", endedBy.toEpochMilli())
                .bind("atMost", atMost)
                .map(row -> old(row))
                .list();
    }

    /// Those of one owner that ended first.
    static List<Old> oldest(Transaction handle, String owner, int atMost) {
        return handle.query(
                        "SELECT p.id, p.owner, e.bytes"
                                + TABLES
                                + """
                                WHERE p.owner = :owner AND p.definition = 'execution'
                                    AND p.ended_at IS NOT NULL
                                ORDER BY p.ended_at, p.id LIMIT :atMost
                                """)
                .bind("owner", owner)
                .bind("atMost", atMost)
                .map(row -> old(row))
                .list();
    }

    static Old old(ResultSet row) throws SQLException {
        return new Old(row.getString("id"), row.getString("owner"), row.getLong("bytes"));
    }

    static Map<String, Long> bytesByOwner(Transaction handle) {
        return handle.query("SELECT p.owner, SUM(e.bytes) AS bytes" + TABLES + "GROUP BY p.owner")
                .numbers("owner", "bytes");
    }

    /// Takes the rows of the execution and the history with them.
    static void delete(Transaction handle, List<Old> old) {
        handle.executeEach(
                "DELETE FROM process WHERE id = :id AND ended_at IS NOT NULL",
                "id",
                old.stream().map(Old::id).toList());
    }

    static ExecutionStatus status(ResultSet row) throws SQLException {
        var state = row.getString("state");
        return ExecutionStatus.of(state)
                .orElseThrow(() -> new IllegalStateException("no status " + state));
    }

    private static ExecutionRequest request(ResultSet row) throws SQLException {
        var text = row.getString("request");
        var small = text.length() <= REQUEST_LENGTH_MAX ? text : Json.without("metadata", text);
        return Records.read(Json.parse(small), ExecutionRequest.class);
    }

    private static ExecutionRecord execution(ResultSet row) throws SQLException {
        var ended = row.getLong("ended_at");
        var completed =
                row.wasNull()
                        ? Optional.<Instant>empty()
                        : Optional.of(Instant.ofEpochMilli(ended));
        var data = row.getString("data");
        return new ExecutionRecord(
                row.getString("id"),
                row.getString("owner"),
                status(row),
                Instant.ofEpochMilli(row.getLong("created_at")),
                completed,
                request(row),
                Optional.ofNullable(row.getString("preview")),
                Optional.ofNullable(row.getString("code"))
                        .map(json -> Json.parse(json).stringValue()),
                completed.map(_ -> Records.read(Json.parse(data), Completion.class)));
    }
}
