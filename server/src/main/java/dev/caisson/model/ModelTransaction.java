package dev.caisson.model;

import dev.caisson.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/// Transaction of a space: who changed what, when, through which door, and why.
///
/// @param number later ones have higher numbers
public record ModelTransaction(
        long number,
        Instant at,
        String actor,
        String actorName,
        String door,
        String traceId,
        Optional<String> reason,
        Optional<String> execution) {
    static final String COLUMNS =
            "x.number, x.at, x.actor, x.actor_name, x.door, x.trace_id, x.reason, x.execution";

    static ModelTransaction begin(Transaction handle, long space, Author author, Instant now) {
        var number = ModelNumbers.take(handle, 1);
        handle.update(
                        """
                        INSERT INTO model_tx (number, space, at, actor, actor_name, door, trace_id,
                            reason, execution)
                        VALUES (:number, :space, :at, :actor, :actorName, :door, :trace, :reason,
                            :execution)
                        """)
                .bind("number", number)
                .bind("space", space)
                .bind("at", now.toEpochMilli())
                .bind("actor", author.id())
                .bind("actorName", author.name())
                .bind("door", author.door())
                .bind("trace", author.traceId())
                .bind("reason", author.reason())
                .bind("execution", author.execution())
                .execute();
        return new ModelTransaction(
                number,
                Instant.ofEpochMilli(now.toEpochMilli()),
                author.id(),
                author.name(),
                author.door(),
                author.traceId(),
                author.reason(),
                author.execution());
    }

    static ModelTransaction read(ResultSet row) throws SQLException {
        return new ModelTransaction(
                row.getLong("number"),
                Instant.ofEpochMilli(row.getLong("at")),
                row.getString("actor"),
                row.getString("actor_name"),
                row.getString("door"),
                row.getString("trace_id"),
                Optional.ofNullable(row.getString("reason")),
                Optional.ofNullable(row.getString("execution")));
    }
}
