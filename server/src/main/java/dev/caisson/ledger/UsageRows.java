package dev.caisson.ledger;

import dev.caisson.ledger.UsageQuery.Group;
import dev.caisson.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// SQL statements on the sums over the ledger.
final class UsageRows {
    private static final String SUMS =
            """
            SUM(calls) AS calls,
            SUM(CASE WHEN nested = 1 THEN calls ELSE 0 END) AS nested_calls,
            SUM(failed) AS failed, SUM(denied) AS denied, SUM(unknown) AS unknown,
            SUM(CASE WHEN nested = 1 THEN 0 ELSE result_bytes END) AS result_bytes,
            SUM(CASE WHEN nested = 1 THEN result_bytes ELSE 0 END) AS nested_bytes,
            SUM(duration_micros) AS duration_micros
            """;

    private UsageRows() {}

    /// The last entry that was summed up.
    ///
    /// @param at when it was made; empty before the first
    record Head(long sequence, Optional<Instant> at) {}

    static Head head(Transaction handle) {
        return handle.query("SELECT sequence, at FROM usage_head WHERE name = 'usage'")
                .map(row -> head(row))
                .one();
    }

    private static Head head(ResultSet row) throws SQLException {
        var sequence = row.getLong("sequence");
        var at = row.getLong("at");
        return new Head(
                sequence, row.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(at)));
    }

    /// Sums up the next entries, unless somebody else has done so.
    static void add(Transaction handle, long after, long last) {
        int moved =
                handle.update(
                                """
                                UPDATE usage_head SET sequence = :last,
                                    at = (SELECT at FROM ledger_entry WHERE sequence = :last)
                                WHERE name = 'usage' AND sequence = :after
                                """)
                        .bind("last", last)
                        .bind("after", after)
                        .execute();
        if (moved == 0) {
            return;
        }
        handle.update(
                        """
                        INSERT INTO usage_day (day, caller, tool, nested, calls, failed, denied,
                            unknown, result_bytes, duration_micros)
                        SELECT at / 86400000, caller,
                            CASE WHEN status = 'refused:unknown_tool' THEN '' ELSE tool END,
                            CASE WHEN execution IS NULL THEN 0 ELSE 1 END,
                            COUNT(*),
                            SUM(CASE WHEN status IN ('success', 'input_required') THEN 0 ELSE 1 END),
                            SUM(CASE WHEN status = 'refused:denied' THEN 1 ELSE 0 END),
                            SUM(CASE WHEN status = 'refused:outcome_unknown' THEN 1 ELSE 0 END),
                            SUM(result_bytes), SUM(duration_micros)
                        FROM ledger_entry WHERE sequence > :after AND sequence <= :last
                        GROUP BY 1, 2, 3, 4
                        ON CONFLICT (day, caller, tool, nested) DO UPDATE
                        SET calls = usage_day.calls + excluded.calls,
                            failed = usage_day.failed + excluded.failed,
                            denied = usage_day.denied + excluded.denied,
                            unknown = usage_day.unknown + excluded.unknown,
                            result_bytes = usage_day.result_bytes + excluded.result_bytes,
                            duration_micros = usage_day.duration_micros + excluded.duration_micros
                        """)
                .bind("after", after)
                .bind("last", last)
                .execute();
    }

    /// The groups in their order.
    ///
    /// @param from how many are passed over
    static List<UsageSum> sums(Transaction handle, UsageQuery query, long from, int limit) {
        var columns = query.by().stream().map(Group::column).collect(Collectors.joining(", "));
        var grouped = columns.isEmpty() ? "" : " GROUP BY " + columns + " ORDER BY " + columns;
        var select =
                handle.query(
                        "SELECT "
                                + (columns.isEmpty() ? "" : columns + ", ")
                                + SUMS
                                + " FROM usage_day WHERE day BETWEEN :from AND :to"
                                + (query.caller().isPresent() ? " AND caller = :caller" : "")
                                + (query.tool().isPresent() ? " AND tool = :tool" : "")
                                + grouped
                                + " LIMIT :limit OFFSET :offset");
        query.caller().ifPresent(caller -> select.bind("caller", caller));
        query.tool().ifPresent(tool -> select.bind("tool", tool));
        return select.bind("from", query.from().toEpochDay())
                .bind("to", query.to().toEpochDay())
                .bind("limit", limit)
                .bind("offset", from)
                .map(row -> sum(query, row))
                .list();
    }

    private static UsageSum sum(UsageQuery query, ResultSet row) throws SQLException {
        boolean byDay = query.by().contains(Group.DAY);
        boolean byKey = query.by().contains(Group.KEY);
        boolean byTool = query.by().contains(Group.TOOL);
        return new UsageSum(
                byDay ? Optional.of(LocalDate.ofEpochDay(row.getLong("day"))) : Optional.empty(),
                byKey ? Optional.of(row.getString("caller")) : Optional.empty(),
                byTool ? Optional.of(row.getString("tool")) : Optional.empty(),
                row.getLong("calls"),
                row.getLong("nested_calls"),
                row.getLong("failed"),
                row.getLong("denied"),
                row.getLong("unknown"),
                row.getLong("result_bytes"),
                row.getLong("nested_bytes"),
                row.getLong("duration_micros"));
    }
}
