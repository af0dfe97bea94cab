package dev.caisson.store;

/// Unit of work in a database transaction. It must not wait for anything but the database: a unit
/// that writes holds up every other writer.
@FunctionalInterface
public interface StoreWork<T> {
    T run(Transaction transaction);
}
