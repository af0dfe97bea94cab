package dev.caisson.model;

import dev.caisson.json.Json;
import dev.caisson.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// SQL statements on the classes of spaces and the revisions of their definitions.
final class ClassRows {
    private ClassRows() {}

    static List<StoredClass> list(Transaction handle, long space) {
        return handle.query(
                        """
                        SELECT number, spec, slot_numbers FROM model_class
                        WHERE space = :space ORDER BY name
                        """)
                .bind("space", space)
                .map(row -> stored(row))
                .list();
    }

    private static StoredClass stored(ResultSet row) throws SQLException {
        Map<String, Long> numbers = new HashMap<>();
        Json.parse(row.getString("slot_numbers"))
                .properties()
                .forEach(each -> numbers.put(each.getKey(), each.getValue().longValue()));
        return new StoredClass(
                row.getLong("number"), ClassSpec.read(Json.parse(row.getString("spec"))), numbers);
    }

    static void delete(Transaction handle, long space, StoredClass old) {
        handle.execute(
                "DELETE FROM model_class WHERE space = ? AND number = ?", space, old.number());
    }

    static void insert(Transaction handle, long space, StoredClass added) {
        handle.update(
                        """
                        INSERT INTO model_class (number, space, name, spec, slot_numbers)
                        VALUES (:number, :space, :name, :spec, :slots)
                        """)
                .bind("number", added.number())
                .bind("space", space)
                .bind("name", added.name())
                .bind("spec", added.spec().text())
                .bind("slots", Json.text(Json.tree(added.slotNumbers())))
                .execute();
    }

    /// The revision of a space's classes.
    static long revision(Transaction handle, long space) {
        return handle.query("SELECT model_revision FROM space WHERE number = :space")
                .bind("space", space)
                .mapTo(Long.class)
                .findOne()
                .orElse(0L);
    }

    /// Moves a space on to its next revision.
    static void advance(
            Transaction handle, long space, long revision, ModelTransaction tx, String plan) {
        handle.execute("UPDATE space SET model_revision = ? WHERE number = ?", revision, space);
        handle.update(
                        """
                        INSERT INTO model_version (space, revision, tx, plan)
                        VALUES (:space, :revision, :tx, :plan)
                        """)
                .bind("space", space)
                .bind("revision", revision)
                .bind("tx", tx.number())
                .bind("plan", plan)
                .execute();
    }

    static void deleteAll(Transaction handle, long space) {
        for (var table : List.of("model_class", "model_version", "model_tx")) {
            handle.execute("DELETE FROM " + table + " WHERE space = ?", space);
        }
    }
}
