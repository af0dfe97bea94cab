package dev.caisson.store;

import java.util.Map;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/// SQL statement that changes rows, with its named parameters (`:name`).
public final class SqlUpdate {
    private final Update update;

    SqlUpdate(Update update) {
        this.update = update;
    }

    public SqlUpdate bind(String name, @Nullable Object value) {
        update.bind(name, value);
        return this;
    }

    public SqlUpdate bindMap(Map<String, ?> values) {
        update.bindMap(values);
        return this;
    }

    /// @return how many rows it changed
    public int execute() {
        return update.execute();
    }
}
