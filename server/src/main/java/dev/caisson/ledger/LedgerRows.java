package dev.caisson.ledger;

import dev.caisson.call.Judgement;
import dev.caisson.store.Transaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// SQL statements on the ledger. None changes or deletes an entry.
final class LedgerRows {
    private static final String SELECT =
            """
            SELECT sequence, at, caller, door, tool, arguments_hash, code_hash, result_bytes,
                status, duration_micros, approval, redactions, trace_id, execution_id,
                metadata_hash, key_id, execution, policy, rule, previous_hash, hash
            FROM ledger_entry
            """;

    private static final String INSERT =
            """
            INSERT INTO ledger_entry (sequence, at, caller, door, tool, arguments_hash, code_hash,
                result_bytes, status, duration_micros, approval, redactions, trace_id,
                execution_id, metadata_hash, key_id, execution, policy, rule, previous_hash, hash)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    private LedgerRows() {}

    static boolean has(Transaction handle, String caller, String tool, String argumentsHash) {
        return handle.query(
                        """
                        SELECT 1 FROM ledger_entry
                        WHERE caller = :caller AND tool = :tool AND arguments_hash = :hash LIMIT 1
                        """)
                .bind("caller", caller)
                .bind("tool", tool)
                .bind("hash", argumentsHash)
                .mapTo(Integer.class)
                .findOne()
                .isPresent();
    }

    static LedgerHead head(Transaction handle) {
        return handle.query("SELECT sequence, hash FROM ledger_head WHERE name = 'ledger'")
                .map(row -> new LedgerHead(row.getLong("sequence"), row.getString("hash")))
                .findOne()
                .orElse(LedgerHead.NONE);
    }

    static void moveHead(Transaction handle, LedgerHead head) {
        handle.update(
                        """
                        UPDATE ledger_head SET sequence = :sequence, hash = :hash
                        WHERE name = 'ledger'
                        """)
                .bind("sequence", head.sequence())
                .bind("hash", head.hash())
                .execute();
    }

    /// Notes that all entries of a file up to this number are here.
    static void settle(Transaction handle, String file, long number) {
        handle.update(
                        """
                        INSERT INTO ledger_pending (name, number) VALUES (:name, :number)
                        ON CONFLICT (name) DO UPDATE SET number = excluded.number
                        """)
                .bind("name", file)
                .bind("number", number)
                .execute();
    }

    static long settled(Transaction handle, String file) {
        return handle.query("SELECT number FROM ledger_pending WHERE name = :name")
                .bind("name", file)
                .mapTo(Long.class)
                .findOne()
                .orElse(0L);
    }

    static int forget(Transaction handle, String file) {
        return handle.execute("DELETE FROM ledger_pending WHERE name = ?", file);
    }

    /// With the driver itself: this is the one statement whose price every call pays.
    static void insert(Transaction handle, List<LinkedEntry> entries) {
        handle.executeEach(INSERT, entries, LedgerRows::bind);
    }

    private static void bind(PreparedStatement statement, LinkedEntry linked) throws SQLException {
        var entry = linked.entry();
        statement.setLong(1, linked.sequence());
        statement.setLong(2, entry.at().toEpochMilli());
        statement.setString(3, entry.caller());
        statement.setString(4, entry.door());
        statement.setString(5, entry.tool());
        statement.setString(6, entry.argumentsHash());
        statement.setString(7, entry.codeHash().orElse(null));
        statement.setLong(8, entry.resultBytes());
        statement.setString(9, entry.status());
        statement.setLong(10, entry.durationMicros());
        statement.setString(11, entry.approval().orElse(null));
        statement.setLong(12, entry.redactions());
        statement.setString(13, entry.traceId());
        var subject = entry.subject();
        statement.setString(14, subject.executionId().orElse(null));
        statement.setString(15, subject.metadataHash().orElse(null));
        statement.setString(16, subject.keyId().orElse(null));
        statement.setString(17, subject.execution().orElse(null));
        statement.setString(18, subject.judgement().map(Judgement::policy).orElse(null));
        statement.setString(19, subject.judgement().map(Judgement::rule).orElse(null));
        statement.setString(20, linked.previousHash());
        statement.setString(21, linked.hash());
    }

    /// In order, from after the given number up to another.
    static List<LinkedEntry> after(Transaction handle, long sequence, long last, int atMost) {
        return handle.query(
                        SELECT
                                + "WHERE sequence > :after AND sequence <= :last"
                                + " ORDER BY sequence LIMIT :atMost")
                .bind("after", sequence)
                .bind("last", last)
                .bind("atMost", atMost)
                .map(row -> linked(row))
                .list();
    }

    /// The newest first.
    ///
    /// @param from the lowest number
    /// @param before the first number that is too high
    static List<LinkedEntry> between(
            Transaction handle, LedgerFilter filter, long from, long before, int atMost) {
        var query =
                handle.query(
                        SELECT
                                + "WHERE sequence >= :lowest AND sequence < :before"
                                + filter.conditions()
                                + " ORDER BY sequence DESC LIMIT :atMost");
        filter.values().forEach(query::bind);
        return query.bind("lowest", from)
                .bind("before", before)
                .bind("atMost", atMost)
                .map(row -> linked(row))
                .list();
    }

    static OptionalLong withHash(Transaction handle, String hash) {
        return handle.query("SELECT sequence FROM ledger_entry WHERE hash = :hash LIMIT 1")
                .bind("hash", hash)
                .mapTo(Long.class)
                .findOne()
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    static long last(Transaction handle) {
        return handle.query("SELECT COALESCE(MAX(sequence), 0) FROM ledger_entry")
                .mapTo(Long.class)
                .one();
    }

    private static LinkedEntry linked(ResultSet row) throws SQLException {
        var entry =
                new Entry(
                        Instant.ofEpochMilli(row.getLong("at")),
                        row.getString("caller"),
                        row.getString("door"),
                        row.getString("tool"),
                        row.getString("arguments_hash"),
                        Optional.ofNullable(row.getString("code_hash")),
                        row.getLong("result_bytes"),
                        row.getString("status"),
                        Duration.of(row.getLong("duration_micros"), ChronoUnit.MICROS),
                        Optional.ofNullable(row.getString("approval")),
                        row.getLong("redactions"),
                        row.getString("trace_id"),
                        new Entry.Subject(
                                Optional.ofNullable(row.getString("execution_id")),
                                Optional.ofNullable(row.getString("metadata_hash")),
                                Optional.ofNullable(row.getString("key_id")),
                                Optional.ofNullable(row.getString("execution")),
                                judgement(row)));
        return new LinkedEntry(
                row.getLong("sequence"),
                entry,
                row.getString("previous_hash"),
                row.getString("hash"));
    }

    private static Optional<Judgement> judgement(ResultSet row) throws SQLException {
        var rule = row.getString("rule");
        return rule == null
                ? Optional.empty()
                : Optional.of(new Judgement(row.getString("policy"), rule));
    }
}
