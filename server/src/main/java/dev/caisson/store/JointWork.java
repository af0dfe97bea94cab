package dev.caisson.store;

import java.util.List;
import org.jdbi.v3.core.Handle;

/// Work on what several callers brought, in the order they came. What holds for [Work] holds here.
///
/// @param <I> what one caller brings
/// @param <T> what one caller gets
@FunctionalInterface
public interface JointWork<I, T> {
    /// @return one answer for each item, in the same order
    List<T> run(Handle handle, List<I> items);
}
