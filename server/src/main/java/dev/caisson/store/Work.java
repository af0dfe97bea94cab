package dev.caisson.store;

import org.jdbi.v3.core.Handle;

/// A unit of work on the database. It must not commit, roll back or close the handle, and must not
/// wait for anything but the database: a unit that writes holds up every other writer.
@FunctionalInterface
public interface Work<T> {
    T run(Handle handle);
}
