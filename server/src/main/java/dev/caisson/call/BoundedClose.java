package dev.caisson.call;

import java.time.Duration;

/// Service whose close waits for others, for a bounded time. The limit comes from the plan by which
/// the server stops; what has not ended by then is left behind.
@FunctionalInterface
public interface BoundedClose extends AutoCloseable {
    /// The limit of a close outside the plan, such as that of a command or a test.
    Duration WITHOUT_PLAN = Duration.ofSeconds(10);

    /// @param atMost how long to wait for what is under way
    void close(Duration atMost);

    @Override
    default void close() {
        close(WITHOUT_PLAN);
    }
}
