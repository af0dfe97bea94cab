package dev.caisson.executions;

import dev.caisson.call.OrderedId;
import dev.caisson.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// SQL statements on the output that rows of executions have. Whatever has some has an id that is
/// ordered by its moment.
final class OutputRows {
    private static final String OLD =
            "SELECT p.id, p.owner, LENGTH(e.output) AS bytes"
                    + ExecutionRows.TABLES
                    + "WHERE e.output IS NOT NULL";

    private OutputRows() {}

    static Optional<byte[]> find(Transaction handle, String owner, String id) {
        return handle.query(
                        "SELECT e.output"
                                + ExecutionRows.TABLES
                                + "WHERE p.id = :id AND p.owner = :owner"
                                + " AND e.output IS NOT NULL")
                .bind("id", id)
                .bind("owner", owner)
                .map(row -> row.getBytes("output"))
                .findOne();
    }

    /// Of those that ended first. What began later cannot have ended before.
    static List<ExecutionRows.Old> oldest(Transaction handle, Instant endedBy, int atMost) {
        return handle.query(
                        OLD
                                + " AND e.process_id < :behind AND p.ended_at < :endedBy"
                                + " ORDER BY e.process_id LIMIT :atMost")
                .bind("behind", "exe_" + OrderedId.after(endedBy.toEpochMilli()))
                .bind("endedBy", endedBy.toEpochMilli())
                .bind("atMost", atMost)
                .map(row -> ExecutionRows.old(row))
                .list();
    }

    /// Of those of one owner that began first.
    static List<ExecutionRows.Old> oldest(Transaction handle, String owner, int atMost) {
        return handle.query(OLD + " AND p.owner = :owner ORDER BY e.process_id LIMIT :atMost")
                .bind("owner", owner)
                .bind("atMost", atMost)
                .map(row -> ExecutionRows.old(row))
                .list();
    }

    static Map<String, Long> bytesByOwner(Transaction handle) {
        return handle.query(
                        "SELECT p.owner, SUM(LENGTH(e.output)) AS bytes"
                                + ExecutionRows.TABLES
                                + "WHERE e.output IS NOT NULL GROUP BY p.owner")
                .numbers("owner", "bytes");
    }

    static int forget(Transaction handle, List<ExecutionRows.Old> old) {
        handle.executeEach(
                """
                UPDATE execution SET bytes = bytes - LENGTH(output), output = NULL
                WHERE process_id = :id AND output IS NOT NULL
                """,
                "id",
                old.stream().map(ExecutionRows.Old::id).toList());
        return old.size();
    }
}
