package dev.caisson.model;

import dev.caisson.store.Transaction;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// SQL statements on the indexes of entities.
final class IndexRows {
    private IndexRows() {}

    /// Entity that refers to another.
    ///
    /// @param source its sequence number
    record Inbound(long source, long slot) {}

    /// Makes the entries of an entity those it is to have, and touches no others.
    static void replace(
            Transaction handle,
            long space,
            long sequence,
            IndexEntries before,
            IndexEntries after) {
        handle.executeEach(
                "DELETE FROM entity_key WHERE space = ? AND slot = ? AND k = ? AND sequence = ?",
                without(before.keys(), after.keys()),
                (statement, key) -> {
                    statement.setLong(1, space);
                    statement.setLong(2, key.slot());
                    statement.setString(3, key.text());
                    statement.setLong(4, sequence);
                });
        handle.executeEach(
                "INSERT INTO entity_key (space, slot, k, sequence) VALUES (?, ?, ?, ?)",
                without(after.keys(), before.keys()),
                (statement, key) -> {
                    statement.setLong(1, space);
                    statement.setLong(2, key.slot());
                    statement.setString(3, key.text());
                    statement.setLong(4, sequence);
                });
        references(handle, space, sequence, before, after);
        words(handle, space, sequence, before, after);
    }

    private static void references(
            Transaction handle,
            long space,
            long sequence,
            IndexEntries before,
            IndexEntries after) {
        handle.executeEach(
                "DELETE FROM entity_ref WHERE space = ? AND target = ? AND slot = ? AND source = ?",
                without(before.references(), after.references()),
                (statement, reference) -> {
                    statement.setLong(1, space);
                    statement.setString(2, reference.target());
                    statement.setLong(3, reference.slot());
                    statement.setLong(4, sequence);
                });
        handle.executeEach(
                "INSERT INTO entity_ref (space, target, slot, source) VALUES (?, ?, ?, ?)",
                without(after.references(), before.references()),
                (statement, reference) -> {
                    statement.setLong(1, space);
                    statement.setString(2, reference.target());
                    statement.setLong(3, reference.slot());
                    statement.setLong(4, sequence);
                });
    }

    private static void words(
            Transaction handle,
            long space,
            long sequence,
            IndexEntries before,
            IndexEntries after) {
        handle.executeEach(
                """
                DELETE FROM entity_word
                WHERE space = ? AND word = ? AND in_title = ? AND sequence = ?
                """,
                without(before.words(), after.words()),
                (statement, word) -> {
                    statement.setLong(1, space);
                    statement.setString(2, word.text());
                    statement.setLong(3, word.inTitle() ? 1 : 0);
                    statement.setLong(4, sequence);
                });
        handle.executeEach(
                "INSERT INTO entity_word (space, word, in_title, sequence) VALUES (?, ?, ?, ?)",
                without(after.words(), before.words()),
                (statement, word) -> {
                    statement.setLong(1, space);
                    statement.setString(2, word.text());
                    statement.setLong(3, word.inTitle() ? 1 : 0);
                    statement.setLong(4, sequence);
                });
    }

    private static <T> List<T> without(Set<T> all, Set<T> others) {
        return all.stream().filter(each -> !others.contains(each)).toList();
    }

    /// Another entity that has a value which must be unique.
    static Optional<Long> holder(
            Transaction handle, long space, IndexEntries.Key key, long sequence) {
        return handle.query(
                        """
                        SELECT sequence FROM entity_key
                        WHERE space = :space AND slot = :slot AND k = :key
                            AND sequence <> :sequence LIMIT 1
                        """)
                .bind("space", space)
                .bind("slot", key.slot())
                .bind("key", key.text())
                .bind("sequence", sequence)
                .mapTo(Long.class)
                .findOne();
    }

    /// Who refers to an entity.
    static List<Inbound> inbound(Transaction handle, long space, String target, int atMost) {
        return handle.query(
                        """
                        SELECT source, slot FROM entity_ref
                        WHERE space = :space AND target = :target
                        ORDER BY slot, source LIMIT :atMost
                        """)
                .bind("space", space)
                .bind("target", target)
                .bind("atMost", atMost)
                .map(row -> new Inbound(row.getLong("source"), row.getLong("slot")))
                .list();
    }
}
