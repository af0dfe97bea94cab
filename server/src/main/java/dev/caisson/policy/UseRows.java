package dev.caisson.policy;

import dev.caisson.store.Transaction;
import java.time.Instant;

/// SQL statements on what keys used of rules: one row for each kind of period, of the last in which
/// something was used.
final class UseRows {
    /// What was used in a period.
    record Used(long calls, long resultBytes) {
        static final Used NOTHING = new Used(0, 0);

        Used plus(Used more) {
            return new Used(calls + more.calls, resultBytes + more.resultBytes);
        }
    }

    private UseRows() {}

    /// @param began the begin of the period; a row of an earlier one begins anew
    static void add(
            Transaction handle, String caller, String rule, Period period, long began, Used more) {
        handle.update(
                        """
                        INSERT INTO policy_use
                            (caller, rule, period, began_at, calls, result_bytes)
                        VALUES (:caller, :rule, :period, :began, :calls, :bytes)
                        ON CONFLICT (caller, rule, period) DO UPDATE
                        SET calls = CASE
                                WHEN policy_use.began_at < excluded.began_at THEN excluded.calls
                                WHEN policy_use.began_at > excluded.began_at THEN policy_use.calls
                                ELSE policy_use.calls + excluded.calls END,
                            result_bytes = CASE
                                WHEN policy_use.began_at < excluded.began_at
                                THEN excluded.result_bytes
                                WHEN policy_use.began_at > excluded.began_at
                                THEN policy_use.result_bytes
                                ELSE policy_use.result_bytes + excluded.result_bytes END,
                            began_at = CASE
                                WHEN policy_use.began_at < excluded.began_at
                                THEN excluded.began_at ELSE policy_use.began_at END
                        """)
                .bind("caller", caller)
                .bind("rule", rule)
                .bind("period", period.letter())
                .bind("began", began)
                .bind("calls", more.calls())
                .bind("bytes", more.resultBytes())
                .execute();
    }

    static Used used(Transaction handle, String caller, String rule, Period period, long began) {
        return handle.query(
                        """
                        SELECT calls, result_bytes FROM policy_use
                        WHERE caller = :caller AND rule = :rule AND period = :period
                            AND began_at = :began
                        """)
                .bind("caller", caller)
                .bind("rule", rule)
                .bind("period", period.letter())
                .bind("began", began)
                .map(row -> new Used(row.getLong("calls"), row.getLong("result_bytes")))
                .findOne()
                .orElse(Used.NOTHING);
    }

    static int deleteBefore(Transaction handle, Instant moment) {
        return handle.update("DELETE FROM policy_use WHERE began_at < :before")
                .bind("before", moment.toEpochMilli())
                .execute();
    }
}
