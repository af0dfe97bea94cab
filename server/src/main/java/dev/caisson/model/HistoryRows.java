package dev.caisson.model;

import dev.caisson.json.Json;
import dev.caisson.store.Transaction;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// SQL statements on versions of entities that are over.
final class HistoryRows {
    /// Version that is over.
    ///
    /// @param until the transaction that ended it
    /// @param isLast whether the entity was deleted then
    record Old(
            long sequence,
            long type,
            String id,
            Optional<String> ident,
            String label,
            long revision,
            long createdBy,
            long by,
            long until,
            boolean isLast,
            ObjectNode document) {}

    private HistoryRows() {}

    /// @param isLast whether the entity is deleted
    static void insert(
            Transaction handle,
            long space,
            StoredEntity old,
            ModelTransaction until,
            boolean isLast) {
        handle.update(
                        """
                        INSERT INTO entity_old (sequence, revision, space, class, id, ident, label,
                            tx, created_tx, until_tx, is_last, document)
                        VALUES (:sequence, :revision, :space, :class, :id, :ident, :label, :tx,
                            :created, :until, :last, :document)
                        """)
                .bind("sequence", old.sequence())
                .bind("revision", old.revision())
                .bind("space", space)
                .bind("class", old.type())
                .bind("id", old.id())
                .bind("ident", old.ident())
                .bind("label", old.label())
                .bind("tx", old.updated().number())
                .bind("created", old.created().number())
                .bind("until", until.number())
                .bind("last", isLast ? 1 : 0)
                .bind("document", Json.text(old.document()))
                .execute();
    }

    /// Versions of an entity that are over, newest first.
    static List<Old> of(Transaction handle, long space, String id, long before, int atMost) {
        return select(
                handle,
                space,
                "id = :of AND revision < :number ORDER BY revision DESC LIMIT :atMost",
                id,
                before,
                atMost);
    }

    /// The version of an entity that was there at a transaction, by id or ident.
    static Optional<Old> at(
            Transaction handle, long space, String column, String handleOf, long tx) {
        return select(
                        handle,
                        space,
                        column + " = :of AND tx <= :number AND until_tx > :number LIMIT :atMost",
                        handleOf,
                        tx,
                        1)
                .stream()
                .findFirst();
    }

    private static List<Old> select(
            Transaction handle, long space, String where, Object of, long number, int atMost) {
        return handle.query(
                        """
                        SELECT sequence, class, id, ident, label, revision, created_tx, tx,
                            until_tx, is_last, document
                        FROM entity_old WHERE space = :space AND
                        """
                                + where)
                .bind("space", space)
                .bind("of", of)
                .bind("number", number)
                .bind("atMost", atMost)
                .map(row ->
                        new Old(
                                row.getLong("sequence"),
                                row.getLong("class"),
                                row.getString("id"),
                                Optional.ofNullable(row.getString("ident")),
                                row.getString("label"),
                                row.getLong("revision"),
                                row.getLong("created_tx"),
                                row.getLong("tx"),
                                row.getLong("until_tx"),
                                row.getLong("is_last") == 1,
                                EntityRows.document(row.getString("document"))))
                .list();
    }

    static ModelTransaction transaction(Transaction handle, long space, long number) {
        return handle.query(
                        "SELECT "
                                + ModelTransaction.COLUMNS
                                + " FROM model_tx x WHERE x.space = :space AND x.number = :number")
                .bind("space", space)
                .bind("number", number)
                .map(row -> ModelTransaction.read(row))
                .one();
    }

    /// The last transaction that was there at a moment; 0 when there was none.
    static long transactionAt(Transaction handle, long space, long millis) {
        return handle.query(
                        """
                        SELECT COALESCE(MAX(number), 0) FROM model_tx
                        WHERE space = :space AND at <= :at
                        """)
                .bind("space", space)
                .bind("at", millis)
                .mapTo(Long.class)
                .one();
    }
}
