package dev.caisson.upstream;

import dev.caisson.broker.ToolEffect;
import dev.caisson.store.Transaction;
import dev.caisson.upstream.ReviewedTool.Approval;
import dev.caisson.upstream.ReviewedTool.Decision;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// SQL statements on tools of upstreams. Definitions are kept as they were received.
final class ToolRows {
    private ToolRows() {}

    static void put(Transaction handle, String upstream, ReviewedTool tool) {
        handle.update(
                        """
                        INSERT INTO upstream_tool
                            (upstream, name, state, reason, hash, definition, approved_hash,
                             approved, python_name, js_name, effect, seen_at, reviewed_at,
                             reviewed_by)
                        VALUES
                            (:upstream, :name, :state, :reason, :hash, :definition,
                             :approved_hash, :approved, :python, :js, :effect, :seen, :reviewed,
                             :by)
                        ON CONFLICT (upstream, name) DO UPDATE
                        SET state = excluded.state, reason = excluded.reason,
                            hash = excluded.hash, definition = excluded.definition,
                            approved_hash = excluded.approved_hash,
                            approved = excluded.approved,
                            python_name = excluded.python_name, js_name = excluded.js_name,
                            effect = excluded.effect, seen_at = excluded.seen_at,
                            reviewed_at = excluded.reviewed_at,
                            reviewed_by = excluded.reviewed_by
                        """)
                .bind("upstream", upstream)
                .bind("name", tool.name())
                .bind("state", tool.state().word())
                .bind("reason", tool.reason())
                .bind("hash", tool.hash())
                .bind("definition", tool.definition())
                .bind("approved_hash", tool.approval().map(Approval::hash))
                .bind("approved", tool.approval().map(Approval::definition))
                .bind("python", tool.pythonName())
                .bind("js", tool.jsName())
                .bind("effect", tool.effect().map(ToolEffect::word))
                .bind("seen", tool.seen().toEpochMilli())
                .bind("reviewed", tool.decision().map(one -> one.at().toEpochMilli()))
                .bind("by", tool.decision().map(Decision::by))
                .execute();
    }

    static void delete(Transaction handle, String upstream, String name) {
        handle.update("DELETE FROM upstream_tool WHERE upstream = :upstream AND name = :name")
                .bind("upstream", upstream)
                .bind("name", name)
                .execute();
    }

    static void deleteAll(Transaction handle, String upstream) {
        handle.update("DELETE FROM upstream_tool WHERE upstream = :upstream")
                .bind("upstream", upstream)
                .execute();
    }

    /// By name, in the order of the names.
    static Map<String, ReviewedTool> all(Transaction handle, String upstream) {
        List<ReviewedTool> rows =
                handle.query(
                                """
                                SELECT name, state, reason, hash, definition, approved_hash,
                                    approved, python_name, js_name, effect, seen_at, reviewed_at,
                                    reviewed_by
                                FROM upstream_tool WHERE upstream = :upstream ORDER BY name
                                """)
                        .bind("upstream", upstream)
                        .map(row -> tool(row))
                        .list();
        var all = new LinkedHashMap<String, ReviewedTool>();
        rows.forEach(tool -> all.put(tool.name(), tool));
        return all;
    }

    private static ReviewedTool tool(ResultSet row) throws SQLException {
        var hash = text(row, "approved_hash");
        var approved = text(row, "approved");
        var reviewedAt = row.getLong("reviewed_at");
        return new ReviewedTool(
                row.getString("name"),
                ToolState.of(row.getString("state")),
                text(row, "reason"),
                row.getString("hash"),
                row.getString("definition"),
                hash.flatMap(one -> approved.map(text -> new Approval(one, text))),
                text(row, "python_name"),
                text(row, "js_name"),
                text(row, "effect").map(word -> ToolEffect.valueOf(word.toUpperCase(Locale.ROOT))),
                Instant.ofEpochMilli(row.getLong("seen_at")),
                text(row, "reviewed_by")
                        .map(by -> new Decision(Instant.ofEpochMilli(reviewedAt), by)));
    }

    private static Optional<String> text(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getString(column));
    }
}
