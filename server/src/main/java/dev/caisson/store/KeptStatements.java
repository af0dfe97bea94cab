package dev.caisson.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.statement.DefaultStatementBuilder;
import org.jdbi.v3.core.statement.StatementContext;

/// Cache of prepared statements: keeps the writer's prepared between transactions: it has few, and
/// uses them again and again. They belong to the connection behind the pool, which stays, and go
/// with it. The pool does not see when one of them fails; it sees the end of every transaction,
/// which fails as well when the connection is broken.
///
/// For one thread.
final class KeptStatements extends DefaultStatementBuilder {
    /// More than the writer has. What comes beyond is prepared anew each time.
    static final int KEPT_MAX = 64;

    private final Map<String, PreparedStatement> idle = new HashMap<>();
    private final IdentityHashMap<Statement, String> inUse = new IdentityHashMap<>();
    private Optional<Connection> owner = Optional.empty();

    @Override
    public PreparedStatement create(Connection pooled, String sql, StatementContext context)
            throws SQLException {
        if (context.isReturningGeneratedKeys() || context.isConcurrentUpdatable()) {
            return super.create(pooled, sql, context);
        }
        var connection = pooled.unwrap(Connection.class);
        if (!isOwner(connection)) {
            idle.clear();
            inUse.clear();
            owner = Optional.of(connection);
        }
        var kept = idle.remove(sql);
        var statement = kept == null ? super.create(connection, sql, context) : kept;
        inUse.put(statement, sql);
        return statement;
    }

    /// A connection that is closed may not even say whether it equals another.
    @SuppressWarnings("ReferenceEquality")
    private boolean isOwner(Connection connection) {
        return owner.isPresent() && owner.get() == connection;
    }

    /// @param text before its parameters were numbered, so it is not what the statement is kept by
    @Override
    public void close(Connection pooled, String text, Statement statement) throws SQLException {
        var sql = Optional.ofNullable(inUse.remove(statement));
        if (sql.isPresent()
                && statement instanceof PreparedStatement prepared
                && !prepared.isClosed()
                && idle.size() < KEPT_MAX
                && !idle.containsKey(sql.get())) {
            prepared.clearBatch();
            prepared.clearParameters();
            idle.put(sql.get(), prepared);
        } else {
            super.close(pooled, text, statement);
        }
    }

    int kept() {
        return idle.size();
    }
}
