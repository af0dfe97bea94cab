package dev.caisson.upstream;

import dev.caisson.json.Json;
import dev.caisson.store.Transaction;
import dev.caisson.stubs.Shapes;
import java.time.Instant;
import java.util.Optional;

/// SQL statements on what was learned of the results of tools.
final class ShapeRows {
    private ShapeRows() {}

    /// Whose results they are.
    ///
    /// @param upstream its module
    /// @param hash of the definition
    record Key(String upstream, String tool, String hash) {}

    /// What is kept of one.
    ///
    /// @param drifted when something came last that had not been there
    record Kept(Shapes shape, Optional<Instant> drifted) {
        static final Kept NOTHING = new Kept(Shapes.NONE, Optional.empty());
    }

    static Kept find(Transaction handle, Key key) {
        return handle.query(
                        """
                        SELECT shape, drifted_at FROM tool_shape
                        WHERE upstream = :upstream AND tool = :tool AND hash = :hash
                        """)
                .bind("upstream", key.upstream())
                .bind("tool", key.tool())
                .bind("hash", key.hash())
                .map(row -> {
                    long drifted = row.getLong("drifted_at");
                    var moment =
                            row.wasNull()
                                    ? Optional.<Instant>empty()
                                    : Optional.of(Instant.ofEpochMilli(drifted));
                    return new Kept(Shapes.of(Json.parse(row.getString("shape"))), moment);
                })
                .findOne()
                .orElse(Kept.NOTHING);
    }

    /// Of several servers the one that has seen more is right.
    static void put(Transaction handle, Key key, Kept kept, Instant now) {
        handle.update(
                        """
                        INSERT INTO tool_shape
                            (upstream, tool, hash, shape, seen, drifted_at, updated_at)
                        VALUES (:upstream, :tool, :hash, :shape, :seen, :drifted, :now)
                        ON CONFLICT (upstream, tool, hash) DO UPDATE
                        SET shape = excluded.shape, seen = excluded.seen,
                            drifted_at = excluded.drifted_at, updated_at = excluded.updated_at
                        WHERE tool_shape.seen < excluded.seen
                        """)
                .bind("upstream", key.upstream())
                .bind("tool", key.tool())
                .bind("hash", key.hash())
                .bind("shape", Json.text(kept.shape().json()))
                .bind("seen", kept.shape().seen())
                .bind("drifted", kept.drifted().map(Instant::toEpochMilli))
                .bind("now", now.toEpochMilli())
                .execute();
    }

    static int deleteBefore(Transaction handle, Instant moment) {
        return handle.update("DELETE FROM tool_shape WHERE updated_at < :moment")
                .bind("moment", moment.toEpochMilli())
                .execute();
    }
}
