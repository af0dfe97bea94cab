package dev.caisson.executions;

import dev.caisson.json.Json;
import dev.caisson.json.Records;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/// The statements on executions. State, times and completion are those of the process; the table of
/// executions has the rest.
final class ExecutionRows {
    private static final String COLUMNS =
            """
            SELECT p.id, p.owner, p.state, p.data, p.created_at, p.ended_at, e.request, e.preview,
            """;
    private static final String TABLES =
            """
             FROM process p JOIN execution e ON e.process_id = p.id
            """;
    private static final String WITHOUT_CODE = COLUMNS + "NULL AS code" + TABLES;

    private static final char REPLACEMENT = '\ufffd';

    private ExecutionRows() {}

    /// @param more bytes that count as its own
    static void insert(Handle handle, Beginning beginning, long more) {
        var request = beginning.request();
        var requestJson = Json.text(Records.tree(request));
        // A program may hold characters that a text column may not.
        var codeJson = beginning.code().map(text -> Json.text(Json.tree(text)));
        long own = (long) requestJson.length() + codeJson.map(String::length).orElse(0);
        handle.createUpdate(
                        """
                        INSERT INTO execution (process_id, trace_id, thread, language, bytes,
                            request, preview, code)
                        VALUES (:id, :traceId, :thread, :language, :bytes,
                            :request, :preview, :code)
                        """)
                .bind("id", beginning.id())
                .bind("traceId", request.traceId())
                .bind("thread", request.thread().map(ExecutionRows::storable))
                .bind("language", request.language())
                .bind("bytes", own + more)
                .bind("request", requestJson)
                .bind("preview", beginning.code().map(Preview::of))
                .bind("code", codeJson)
                .execute();
    }

    /// A caller's own name, which may hold what not every database takes.
    static String storable(String name) {
        return name.replace('\0', REPLACEMENT);
    }

    static void addBytes(Handle handle, String id, long bytes) {
        handle.createUpdate("UPDATE execution SET bytes = bytes + :bytes WHERE process_id = :id")
                .bind("bytes", bytes)
                .bind("id", id)
                .execute();
    }

    static Optional<ExecutionRecord> find(Handle handle, String id) {
        return handle.createQuery(COLUMNS + "e.code" + TABLES + "WHERE p.id = :id")
                .bind("id", id)
                .map((row, _) -> execution(row))
                .findOne();
    }

    /// The newest, for a caller may use one trace for several calls.
    static Optional<ExecutionRecord> ofTrace(Handle handle, Optional<String> owner, String trace) {
        return handle.createQuery(
                        COLUMNS
                                + "e.code"
                                + TABLES
                                + "WHERE e.trace_id = :trace"
                                + ownedBy(owner)
                                + " ORDER BY p.created_at DESC, p.id DESC LIMIT 1")
                .bindMap(values(owner))
                .bind("trace", trace)
                .map((row, _) -> execution(row))
                .findOne();
    }

    private static String ownedBy(Optional<String> owner) {
        return owner.isPresent() ? " AND p.owner = :owner" : "";
    }

    private static Map<String, Object> values(Optional<String> owner) {
        return owner.<Map<String, Object>>map(id -> Map.of("owner", id)).orElse(Map.of());
    }

    static List<ExecutionRecord> unfinished(Handle handle) {
        return handle.createQuery(
                        WITHOUT_CODE + "WHERE p.ended_at IS NULL ORDER BY p.created_at, p.id")
                .map((row, _) -> execution(row))
                .list();
    }

    static List<ExecutionRecord> list(
            Handle handle,
            Optional<String> owner,
            ExecutionFilter filter,
            Optional<Cursor> after,
            int atMost) {
        var query =
                handle.createQuery(
                        WITHOUT_CODE
                                + "WHERE p.definition = 'execution'"
                                + ownedBy(owner)
                                + filter.conditions()
                                + (after.isPresent()
                                        ? " AND (p.created_at, p.id) < (:lastCreated, :lastId)"
                                        : "")
                                + " ORDER BY p.created_at DESC, p.id DESC LIMIT :atMost");
        filter.values().forEach(query::bind);
        after.ifPresent(cursor ->
                query.bind("lastCreated", cursor.created().toEpochMilli())
                        .bind("lastId", cursor.id()));
        return query.bindMap(values(owner))
                .bind("atMost", atMost)
                .map((row, _) -> execution(row))
                .list();
    }

    /// One that has ended and may go.
    record Old(String id, String owner, long bytes) {}

    /// Those that ended first.
    static List<Old> oldest(Handle handle, Instant endedBy, int atMost) {
        return handle.createQuery(
                        "SELECT p.id, p.owner, e.bytes"
                                + TABLES
                                + """
                                WHERE p.definition = 'execution' AND p.ended_at IS NOT NULL
                                    AND p.ended_at <= :endedBy
                                ORDER BY p.ended_at, p.id LIMIT :atMost
                                """)
                .bind("endedBy", endedBy.toEpochMilli())
                .bind("atMost", atMost)
                .map((row, _) ->
                        new Old(row.getString("id"), row.getString("owner"), row.getLong("bytes")))
                .list();
    }

    static long bytes(Handle handle) {
        return handle.createQuery("SELECT COALESCE(SUM(bytes), 0) FROM execution")
                .mapTo(Long.class)
                .one();
    }

    /// Takes the rows of the execution and the history with them.
    static void delete(Handle handle, List<Old> old) {
        var batch =
                handle.prepareBatch("DELETE FROM process WHERE id = :id AND ended_at IS NOT NULL");
        old.forEach(one -> batch.bind("id", one.id()).add());
        batch.execute();
    }

    private static ExecutionRecord execution(ResultSet row) throws SQLException {
        var state = row.getString("state");
        var status =
                ExecutionStatus.of(state)
                        .orElseThrow(() -> new IllegalStateException("no status " + state));
        var ended = row.getLong("ended_at");
        var completed =
                row.wasNull()
                        ? Optional.<Instant>empty()
                        : Optional.of(Instant.ofEpochMilli(ended));
        var data = row.getString("data");
        return new ExecutionRecord(
                row.getString("id"),
                row.getString("owner"),
                status,
                Instant.ofEpochMilli(row.getLong("created_at")),
                completed,
                Records.read(Json.parse(row.getString("request")), ExecutionRequest.class),
                Optional.ofNullable(row.getString("preview")),
                Optional.ofNullable(row.getString("code"))
                        .map(json -> Json.parse(json).stringValue()),
                completed.map(_ -> Records.read(Json.parse(data), Completion.class)));
    }
}
