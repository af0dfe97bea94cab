package dev.caisson.policy;

import dev.caisson.json.Json;
import dev.caisson.policy.Approval.Bound;
import dev.caisson.policy.Approval.Decided;
import dev.caisson.policy.Approval.Scope;
import dev.caisson.policy.Approval.State;
import dev.caisson.store.SqlQuery;
import dev.caisson.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// SQL statements on approvals. Their states and decisions are those of their processes.
final class ApprovalRows {
    private static final String SELECT =
            """
            SELECT process_id, execution_id, call_id, caller, upstream, tool, definition_hash,
                arguments_hash, details, scope, expires_at, used_at, state, data, created_at,
                updated_at
            FROM approval JOIN process ON process.id = approval.process_id
            """;

    private static final String CALL =
            """
            caller = :caller AND upstream = :server AND tool = :tool
                AND definition_hash = :definition
            """;

    private ApprovalRows() {}

    static void insert(
            Transaction handle, String id, Bound bound, ObjectNode details, Instant expires) {
        handle.update(
                        """
                        INSERT INTO approval
                            (process_id, execution_id, call_id, caller, upstream, tool,
                             definition_hash, arguments_hash, details, expires_at)
                        VALUES (:id, :execution, :call, :caller, :server, :tool, :definition,
                             :arguments, :details, :expires)
                        """)
                .bind("id", id)
                .bind("execution", bound.executionId())
                .bind("call", bound.callId())
                .bind("caller", bound.caller())
                .bind("server", bound.server())
                .bind("tool", bound.tool())
                .bind("definition", bound.definition())
                .bind("arguments", bound.arguments())
                .bind("details", Json.text(details))
                .bind("expires", expires.toEpochMilli())
                .execute();
    }

    static Optional<Approval> find(Transaction handle, String id) {
        return handle.query(SELECT + "WHERE process_id = :id")
                .bind("id", id)
                .map(row -> approval(row))
                .findOne();
    }

    /// The newest first.
    ///
    /// @param caller whose alone, if given
    /// @param before the id behind which the page begins; empty for the first
    static List<Approval> list(
            Transaction handle,
            Optional<String> caller,
            boolean pendingOnly,
            String before,
            int limit) {
        return handle.query(
                        SELECT
                                + """
                                WHERE (:all = 1 OR caller = :caller)
                                    AND (:ended = 1 OR state = 'pending')
                                    AND (:before = '' OR process_id < :before)
                                ORDER BY process_id DESC LIMIT :limit
                                """)
                .bind("all", caller.isEmpty() ? 1L : 0L)
                .bind("caller", caller.orElse(""))
                .bind("ended", pendingOnly ? 0L : 1L)
                .bind("before", before)
                .bind("limit", limit)
                .map(row -> approval(row))
                .list();
    }

    static long pending(Transaction handle, String caller) {
        return handle.query(
                        """
                        SELECT COUNT(*) FROM approval
                            JOIN process ON process.id = approval.process_id
                        WHERE caller = :caller AND state = 'pending'
                        """)
                .bind("caller", caller)
                .mapTo(Long.class)
                .one();
    }

    static long pending(Transaction handle) {
        return handle.query(
                        "SELECT COUNT(*) FROM process"
                                + " WHERE definition = 'approval' AND ended_at IS NULL")
                .mapTo(Long.class)
                .one();
    }

    static Set<String> pendingIds(Transaction handle) {
        return Set.copyOf(
                handle.query(
                                "SELECT id FROM process"
                                        + " WHERE definition = 'approval' AND ended_at IS NULL")
                        .mapTo(String.class)
                        .list());
    }

    static Set<String> waitingRuns(Transaction handle) {
        return Set.copyOf(
                handle.query(
                                """
                                SELECT DISTINCT execution_id FROM approval
                                    JOIN process ON process.id = approval.process_id
                                WHERE state = 'pending' AND execution_id IS NOT NULL
                                """)
                        .mapTo(String.class)
                        .list());
    }

    /// Those of direct calls equal to this one that are pending, or were decided since and not
    /// used; the newest first.
    static List<Approval> ofEqual(Transaction handle, Bound bound, Instant since) {
        return bound(
                        handle,
                        bound,
                        """
                         AND arguments_hash = :arguments AND execution_id IS NULL
                            AND (state = 'pending' OR (state IN ('approved', 'denied')
                                AND used_at IS NULL AND updated_at >= :since))
                        ORDER BY created_at DESC, process_id DESC
                        """)
                .bind("arguments", bound.arguments())
                .bind("since", since.toEpochMilli())
                .map(row -> approval(row))
                .list();
    }

    /// What allows this tool for the rest of a run.
    static Optional<Approval> ofRun(Transaction handle, Bound bound) {
        return bound(
                        handle,
                        bound,
                        " AND execution_id = :execution AND scope = 'run' AND state = 'approved'"
                                + " LIMIT 1")
                .bind("execution", bound.executionId().orElse(""))
                .map(row -> approval(row))
                .findOne();
    }

    /// Pending ones of the same key and definition: of the same run, or all.
    static List<Approval> alike(Transaction handle, Bound bound, boolean run) {
        return bound(
                        handle,
                        bound,
                        " AND state = 'pending' AND (:anywhere = 1 OR execution_id = :execution)")
                .bind("anywhere", run ? 0L : 1L)
                .bind("execution", bound.executionId().orElse(""))
                .map(row -> approval(row))
                .list();
    }

    /// The last one of this key and tool that was approved.
    static Optional<Approval> lastApproved(Transaction handle, Bound bound) {
        return handle.query(
                        SELECT
                                + """
                                WHERE caller = :caller AND upstream = :server AND tool = :tool
                                    AND state = 'approved'
                                ORDER BY updated_at DESC LIMIT 1
                                """)
                .bind("caller", bound.caller())
                .bind("server", bound.server())
                .bind("tool", bound.tool())
                .map(row -> approval(row))
                .findOne();
    }

    private static SqlQuery bound(Transaction handle, Bound bound, String more) {
        return handle.query(SELECT + "WHERE " + CALL + more)
                .bind("caller", bound.caller())
                .bind("server", bound.server())
                .bind("tool", bound.tool())
                .bind("definition", bound.definition());
    }

    static List<Approval> pendingBefore(Transaction handle, Instant now) {
        return handle.query(SELECT + "WHERE state = 'pending' AND expires_at <= :now LIMIT 500")
                .bind("now", now.toEpochMilli())
                .map(row -> approval(row))
                .list();
    }

    static void scoped(Transaction handle, String id, Scope scope) {
        handle.update("UPDATE approval SET scope = :scope WHERE process_id = :id")
                .bind("scope", scope.word())
                .bind("id", id)
                .execute();
    }

    /// @return whether it was not used before
    static boolean use(Transaction handle, String id, Instant now) {
        return handle.update(
                                "UPDATE approval SET used_at = :now"
                                        + " WHERE process_id = :id AND used_at IS NULL")
                        .bind("now", now.toEpochMilli())
                        .bind("id", id)
                        .execute()
                == 1;
    }

    private static Approval approval(ResultSet row) throws SQLException {
        var state = State.of(row.getString("state"));
        var data = Json.parse(row.getString("data"));
        var scope = Optional.ofNullable(row.getString("scope"));
        row.getLong("used_at");
        var used = !row.wasNull();
        return new Approval(
                row.getString("process_id"),
                state,
                new Bound(
                        Optional.ofNullable(row.getString("execution_id")),
                        row.getString("call_id"),
                        row.getString("caller"),
                        row.getString("upstream"),
                        row.getString("tool"),
                        row.getString("definition_hash"),
                        row.getString("arguments_hash")),
                (ObjectNode) Json.parse(row.getString("details")),
                Instant.ofEpochMilli(row.getLong("created_at")),
                Instant.ofEpochMilli(row.getLong("expires_at")),
                state == State.PENDING
                        ? Optional.empty()
                        : Optional.of(
                                new Decided(
                                        Instant.ofEpochMilli(row.getLong("updated_at")),
                                        data.path("by").asString(""),
                                        scope.map(word ->
                                                Scope.valueOf(word.toUpperCase(Locale.ROOT))),
                                        data.path("reason").stringValueOpt())),
                used);
    }
}
