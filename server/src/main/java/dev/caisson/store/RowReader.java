package dev.caisson.store;

import java.sql.ResultSet;
import java.sql.SQLException;

/// Reader of one row of a result: makes a value of its columns.
@FunctionalInterface
public interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
}
