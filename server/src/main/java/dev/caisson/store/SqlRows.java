package dev.caisson.store;

import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.result.ResultIterable;

/// Rows that a query found, each read as one value.
public final class SqlRows<T> {
    private final ResultIterable<T> rows;

    SqlRows(ResultIterable<T> rows) {
        this.rows = rows;
    }

    public List<T> list() {
        return rows.list();
    }

    /// The only row, if there is one.
    ///
    /// @throws IllegalStateException when there are more
    public Optional<T> findOne() {
        return rows.findOne();
    }

    /// The only row.
    ///
    /// @throws IllegalStateException when there is none, or more
    public T one() {
        return rows.one();
    }
}
