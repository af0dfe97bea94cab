package dev.caisson.executions;

import dev.caisson.store.Transaction;
import java.time.Instant;
import java.util.List;

/// SQL statements on attempts. Ids of executions stand in one text with commas between.
final class AttemptRows {
    private static final String BETWEEN = ",";

    private AttemptRows() {}

    /// Failures in a row.
    ///
    /// @param executions that failed last, the oldest first
    record Failures(int failures, List<String> executions) {
        static final Failures NONE = new Failures(0, List.of());

        Failures {
            executions = List.copyOf(executions);
        }
    }

    static Failures find(Transaction handle, String caller, String task) {
        return handle.query(
                        """
                        SELECT failures, executions FROM attempt
                        WHERE caller = :caller AND task = :task
                        """)
                .bind("caller", caller)
                .bind("task", task)
                .map(row ->
                        new Failures(
                                row.getInt("failures"),
                                List.of(row.getString("executions").split(BETWEEN, -1))))
                .findOne()
                .orElse(Failures.NONE);
    }

    static void put(
            Transaction handle, String caller, String task, Failures failures, long updated) {
        handle.update(
                        """
                        INSERT INTO attempt (caller, task, failures, executions, updated_at)
                        VALUES (:caller, :task, :failures, :executions, :updated)
                        ON CONFLICT (caller, task) DO UPDATE
                        SET failures = excluded.failures, executions = excluded.executions,
                            updated_at = excluded.updated_at
                        """)
                .bind("caller", caller)
                .bind("task", task)
                .bind("failures", (long) failures.failures())
                .bind("executions", String.join(BETWEEN, failures.executions()))
                .bind("updated", updated)
                .execute();
    }

    /// Those of a caller beyond so many, the oldest first, are forgotten.
    static void keep(Transaction handle, String caller, int atMost) {
        handle.update(
                        """
                        DELETE FROM attempt WHERE caller = :caller AND task IN (
                            SELECT task FROM attempt WHERE caller = :caller
                            ORDER BY updated_at DESC, task LIMIT :rest OFFSET :kept)
                        """)
                .bind("caller", caller)
                .bind("rest", (long) atMost)
                .bind("kept", (long) atMost)
                .execute();
    }

    static int delete(Transaction handle, String caller, String task) {
        return handle.update("DELETE FROM attempt WHERE caller = :caller AND task = :task")
                .bind("caller", caller)
                .bind("task", task)
                .execute();
    }

    static int deleteBefore(Transaction handle, Instant moment) {
        return handle.update("DELETE FROM attempt WHERE updated_at < :moment")
                .bind("moment", moment.toEpochMilli())
                .execute();
    }
}
