package dev.caisson.model;

import dev.caisson.json.Json;
import dev.caisson.store.Transaction;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// SQL statements on entities as they are now.
final class EntityRows {
    static final String SELECT =
            """
            SELECT e.sequence, e.class, e.id, e.ident, e.label, e.revision, e.document,
                c.number AS c_number, c.at AS c_at, c.actor AS c_actor,
                c.actor_name AS c_actor_name, c.door AS c_door, c.trace_id AS c_trace_id,
                c.reason AS c_reason, c.execution AS c_execution,
                x.number, x.at, x.actor, x.actor_name, x.door, x.trace_id, x.reason, x.execution
            FROM entity e
            JOIN model_tx c ON c.number = e.created_tx
            JOIN model_tx x ON x.number = e.tx
            """;

    private EntityRows() {}

    static Optional<StoredEntity> byId(Transaction handle, long space, String id) {
        return handle.query(SELECT + "WHERE e.space = :space AND e.id = :id")
                .bind("space", space)
                .bind("id", id)
                .map(row -> entity(row))
                .findOne();
    }

    static Optional<StoredEntity> byIdent(Transaction handle, long space, String ident) {
        return handle.query(SELECT + "WHERE e.space = :space AND e.ident = :ident")
                .bind("space", space)
                .bind("ident", ident)
                .map(row -> entity(row))
                .findOne();
    }

    static Optional<StoredEntity> bySequence(Transaction handle, long space, long sequence) {
        return handle.query(SELECT + "WHERE e.space = :space AND e.sequence = :sequence")
                .bind("space", space)
                .bind("sequence", sequence)
                .map(row -> entity(row))
                .findOne();
    }

    /// Those of a class, newest first, older than one.
    static List<StoredEntity> page(
            Transaction handle, long space, long type, long before, int atMost) {
        return handle.query(
                        SELECT
                                + """
                                WHERE e.space = :space AND e.class = :class
                                    AND e.sequence < :before
                                ORDER BY e.sequence DESC LIMIT :atMost
                                """)
                .bind("space", space)
                .bind("class", type)
                .bind("before", before)
                .bind("atMost", atMost)
                .map(row -> entity(row))
                .list();
    }

    static long count(Transaction handle, long space, long type) {
        return handle.query("SELECT COUNT(*) FROM entity WHERE space = :space AND class = :class")
                .bind("space", space)
                .bind("class", type)
                .mapTo(Long.class)
                .one();
    }

    /// @return whether neither id nor ident is taken
    static boolean insert(Transaction handle, long space, StoredEntity entity) {
        var text = Json.text(entity.document());
        return handle.update(
                                """
                                INSERT INTO entity (sequence, space, class, id, ident, label,
                                    revision, tx, created_tx, bytes, document)
                                VALUES (:sequence, :space, :class, :id, :ident, :label, :revision,
                                    :tx, :created, :bytes, :document)
                                ON CONFLICT DO NOTHING
                                """)
                        .bind("sequence", entity.sequence())
                        .bind("space", space)
                        .bind("class", entity.type())
                        .bind("id", entity.id())
                        .bind("ident", entity.ident())
                        .bind("label", entity.label())
                        .bind("revision", entity.revision())
                        .bind("tx", entity.updated().number())
                        .bind("created", entity.created().number())
                        .bind("bytes", text.getBytes(StandardCharsets.UTF_8).length)
                        .bind("document", text)
                        .execute()
                == 1;
    }

    static void replace(Transaction handle, long space, StoredEntity entity) {
        var text = Json.text(entity.document());
        handle.update(
                        """
                        UPDATE entity SET label = :label, revision = :revision, tx = :tx,
                            bytes = :bytes, document = :document
                        WHERE space = :space AND sequence = :sequence
                        """)
                .bind("label", entity.label())
                .bind("revision", entity.revision())
                .bind("tx", entity.updated().number())
                .bind("bytes", text.getBytes(StandardCharsets.UTF_8).length)
                .bind("document", text)
                .bind("space", space)
                .bind("sequence", entity.sequence())
                .execute();
    }

    static void delete(Transaction handle, long space, StoredEntity entity) {
        handle.execute(
                "DELETE FROM entity WHERE space = ? AND sequence = ?", space, entity.sequence());
    }

    /// Counts entities of a space up or down.
    ///
    /// @return how many there are now
    static long addToCount(Transaction handle, long space, long more) {
        handle.execute("UPDATE space SET entities = entities + ? WHERE number = ?", more, space);
        return handle.query("SELECT entities FROM space WHERE number = :space")
                .bind("space", space)
                .mapTo(Long.class)
                .findOne()
                .orElse(0L);
    }

    static void deleteAll(Transaction handle, long space) {
        for (var table :
                List.of("entity", "entity_old", "entity_key", "entity_ref", "entity_word")) {
            handle.execute("DELETE FROM " + table + " WHERE space = ?", space);
        }
    }

    static StoredEntity entity(ResultSet row) throws SQLException {
        return new StoredEntity(
                row.getLong("sequence"),
                row.getLong("class"),
                row.getString("id"),
                Optional.ofNullable(row.getString("ident")),
                row.getString("label"),
                row.getLong("revision"),
                created(row),
                ModelTransaction.read(row),
                document(row.getString("document")));
    }

    static ObjectNode document(String text) {
        return (ObjectNode) Json.parse(text);
    }

    private static ModelTransaction created(ResultSet row) throws SQLException {
        return new ModelTransaction(
                row.getLong("c_number"),
                Instant.ofEpochMilli(row.getLong("c_at")),
                row.getString("c_actor"),
                row.getString("c_actor_name"),
                row.getString("c_door"),
                row.getString("c_trace_id"),
                Optional.ofNullable(row.getString("c_reason")),
                Optional.ofNullable(row.getString("c_execution")));
    }
}
