package dev.caisson.store;

import java.util.List;

/// Batch of work in a database transaction: on what several callers brought, in the order they
/// came. What holds for [StoreWork] holds here.
///
/// @param <I> what one caller brings
/// @param <T> what one caller gets
@FunctionalInterface
public interface JointWork<I, T> {
    /// @return one answer for each item, in the same order
    List<T> run(Transaction transaction, List<I> items);
}
