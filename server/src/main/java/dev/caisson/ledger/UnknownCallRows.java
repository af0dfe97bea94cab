package dev.caisson.ledger;

import dev.caisson.ledger.UpstreamCall.Reconciliation;
import dev.caisson.store.Transaction;
import java.util.List;
import java.util.Optional;

/// SQL statements on calls of which nobody knows what they did.
final class UnknownCallRows {
    private UnknownCallRows() {}

    private record Size(String id, long bytes) {}

    /// The newest first, as many as are not more than that together, but one at least.
    ///
    /// @param caller whose they are; empty for those of all
    /// @param before the id of the last one of the page before
    static List<UpstreamCall> page(
            Transaction handle,
            Optional<String> caller,
            Optional<String> before,
            int limit,
            long bytesMax) {
        var sizes =
                handle.query(
                                """
                                SELECT id, kept_bytes FROM tool_call
                                WHERE state = 'unknown'
                                    AND (:all = 1 OR caller = :caller)
                                    AND (:first = 1 OR (began_at, id) <
                                        (SELECT began_at, id FROM tool_call WHERE id = :before))
                                ORDER BY began_at DESC, id DESC LIMIT :limit
                                """)
                        .bind("all", caller.isEmpty() ? 1 : 0)
                        .bind("caller", caller.orElse(""))
                        .bind("first", before.isEmpty() ? 1 : 0)
                        .bind("before", before.orElse(""))
                        .bind("limit", limit)
                        .map(row -> new Size(row.getString("id"), row.getLong("kept_bytes")))
                        .list();
        long bytes = 0;
        int fit = 0;
        for (var size : sizes) {
            bytes += size.bytes();
            if (fit > 0 && bytes > bytesMax) {
                break;
            }
            fit++;
        }
        return sizes.stream().limit(fit).flatMap(size -> find(handle, size.id()).stream()).toList();
    }

    static Optional<UpstreamCall> find(Transaction handle, String id) {
        return handle.query("SELECT * FROM tool_call WHERE id = :id")
                .bind("id", id)
                .map(row -> UpstreamCallRows.call(row))
                .findOne();
    }

    /// @return whether nobody knew until now
    static boolean reconcile(
            Transaction handle, String id, boolean happened, Reconciliation found) {
        return handle.update(
                                """
                                UPDATE tool_call
                                SET state = :state, failed = :failed, reconciled_how = :how,
                                    reconciled_by = :by, reconciled_at = :at
                                WHERE id = :id AND state = 'unknown'
                                """)
                        .bind("id", id)
                        .bind(
                                "state",
                                happened
                                        ? UpstreamCall.State.DONE.word()
                                        : UpstreamCall.State.NOT_SENT.word())
                        .bind("failed", happened ? 0L : 1L)
                        .bind("how", found.how().word())
                        .bind("by", found.by())
                        .bind("at", found.at().toEpochMilli())
                        .execute()
                > 0;
    }
}
