package dev.caisson.sandbox;

import java.time.Duration;

/// Starter of interpreters that stay between programs.
public interface Residents {
    /// How long an interrupted program has to end before its interpreter is killed: longer than an
    /// interpreter takes to unwind, shorter than a caller who cancelled should wait.
    Duration GRACE = Duration.ofSeconds(2);

    /// Boots an interpreter in a sandbox of its own. Its user must close it.
    ///
    /// @param first its first program, which is not run yet: its runner and its workspace are those
    ///   of all that follow, and so are its limits, but for the time
    /// @throws dev.caisson.call.Refusal when there is no capacity
    /// @throws InterruptedException when interrupted while nothing had been started
    Settling settle(Run first) throws InterruptedException;

    /// Whether [#settle] would have to wait for memory that others of the same caller hold.
    ///
    /// @param resting what those hold that rest
    default boolean isShortByOwn(Run first, long resting) {
        return false;
    }

    /// Whether there is one now.
    sealed interface Settling {
        record Settled(Resident resident) implements Settling {}

        /// @param outcome what a run would have had
        record Failed(Outcome outcome) implements Settling {}
    }
}
