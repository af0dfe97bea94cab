package dev.caisson.store;

import java.util.HashMap;
import java.util.Map;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/// SQL statement that reads, with its named parameters (`:name`).
public final class SqlQuery {
    private final Query query;

    SqlQuery(Query query) {
        this.query = query;
    }

    public SqlQuery bind(String name, @Nullable Object value) {
        query.bind(name, value);
        return this;
    }

    public SqlQuery bindMap(Map<String, ?> values) {
        query.bindMap(values);
        return this;
    }

    public <T> SqlRows<T> map(RowReader<T> reader) {
        return new SqlRows<>(query.map((row, _) -> reader.read(row)));
    }

    /// Rows of one column.
    public <T> SqlRows<T> mapTo(Class<T> type) {
        return new SqlRows<>(query.mapTo(type));
    }

    /// Rows of a text and a number, such as sums by owner.
    public Map<String, Long> numbers(String key, String number) {
        var all = new HashMap<String, Long>();
        for (var row : map(row -> Map.entry(row.getString(key), row.getLong(number))).list()) {
            all.put(row.getKey(), row.getValue());
        }
        return all;
    }
}
