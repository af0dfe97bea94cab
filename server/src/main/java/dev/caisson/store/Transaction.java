package dev.caisson.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Handle;

/// Database transaction, as work in it sees it: statements, and neither commit nor rollback nor the
/// connection. It ends with the work it was given to.
public final class Transaction {
    private final Handle handle;

    /// Sets the parameters of a statement for one item.
    @FunctionalInterface
    public interface Binder<T> {
        void bind(PreparedStatement statement, T item) throws SQLException;
    }

    Transaction(Handle handle) {
        this.handle = handle;
    }

    /// A statement that reads.
    public SqlQuery query(String sql) {
        return new SqlQuery(handle.createQuery(sql));
    }

    /// A statement that changes rows.
    public SqlUpdate update(String sql) {
        return new SqlUpdate(handle.createUpdate(sql));
    }

    /// Runs a statement with positional parameters.
    ///
    /// @return how many rows it changed
    public int execute(String sql, Object... values) {
        return handle.execute(sql, values);
    }

    /// Runs a statement once for each item, with the driver itself: the cheapest way there is, for
    /// what is written all the time.
    public <T> void executeEach(String sql, List<T> items, Binder<T> binder) {
        try (var statement = handle.getConnection().prepareStatement(sql)) {
            for (var item : items) {
                binder.bind(statement, item);
                statement.addBatch();
            }
            statement.executeBatch();
        } catch (SQLException failure) {
            throw new IllegalStateException("a batch of statements failed", failure);
        }
    }

    /// The same with a statement that is kept, for what is written now and then.
    ///
    /// @param parameter the name of the only one
    public void executeEach(String sql, String parameter, List<?> values) {
        var batch = handle.prepareBatch(sql);
        values.forEach(value -> batch.bind(parameter, value).add());
        batch.execute();
    }

    /// For the engine of this room, which does what no other room may.
    Handle handle() {
        return handle;
    }
}
