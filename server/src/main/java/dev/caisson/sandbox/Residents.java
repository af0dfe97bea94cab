package dev.caisson.sandbox;

/// Where interpreters stay between programs.
public interface Residents {
    /// Boots an interpreter in a sandbox of its own. Its user must close it.
    ///
    /// @param first its first program, which is not run yet: its runner and its workspace are those
    ///   of all that follow, and so are its limits, but for the time
    /// @throws dev.caisson.call.Refusal when there is no capacity
    /// @throws InterruptedException when interrupted while nothing had been started
    Settling settle(Run first) throws InterruptedException;

    /// Whether there is one now.
    sealed interface Settling {
        record Settled(Resident resident) implements Settling {}

        /// @param outcome what a run would have had
        record Failed(Outcome outcome) implements Settling {}
    }
}
