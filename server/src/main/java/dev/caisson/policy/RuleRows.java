package dev.caisson.policy;

import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.store.Transaction;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// SQL statements on the rules of the database. A rule is kept as it was written.
final class RuleRows {
    private static final SecureRandom RANDOM = new SecureRandom();

    /// A rule as it is stored.
    ///
    /// @param by the name of whoever made it
    record Stored(String name, JsonNode rule, String by, Instant made) {
        static Stored of(Rule rule, String by, Instant now) {
            return new Stored(rule.name(), Records.tree(rule.body()), by, now);
        }
    }

    private RuleRows() {}

    /// In their order.
    static List<Stored> all(Transaction handle) {
        return handle.query(
                        "SELECT name, rule, made_by, created_at FROM policy_rule ORDER BY position")
                .map(row ->
                        new Stored(
                                row.getString("name"),
                                Json.parse(row.getString("rule")),
                                row.getString("made_by"),
                                Instant.ofEpochMilli(row.getLong("created_at"))))
                .list();
    }

    /// What tells whether anything changed.
    static List<Long> revisions(Transaction handle) {
        return handle.query("SELECT revision FROM policy_rule ORDER BY position")
                .mapTo(Long.class)
                .list();
    }

    static void delete(Transaction handle, String name) {
        handle.update("DELETE FROM policy_rule WHERE name = :name").bind("name", name).execute();
    }

    /// Stores a rule in place of the one of that name.
    static void put(Transaction handle, Stored rule) {
        handle.update(
                        """
                        INSERT INTO policy_rule
                            (name, position, rule, made_by, created_at, revision)
                        VALUES (:name, 0, :rule, :by, :made, :revision)
                        ON CONFLICT (name) DO UPDATE
                        SET rule = excluded.rule, made_by = excluded.made_by,
                            created_at = excluded.created_at, revision = excluded.revision
                        """)
                .bind("name", rule.name())
                .bind("rule", Json.text(rule.rule()))
                .bind("by", rule.by())
                .bind("made", rule.made().toEpochMilli())
                .bind("revision", RANDOM.nextLong())
                .execute();
    }

    /// Gives all rules their places.
    static void order(Transaction handle, List<String> names) {
        for (int i = 0; i < names.size(); i++) {
            handle.update(
                            "UPDATE policy_rule SET position = :position"
                                    + " WHERE name = :name AND position <> :position")
                    .bind("position", i + 1L)
                    .bind("name", names.get(i))
                    .execute();
        }
    }
}
