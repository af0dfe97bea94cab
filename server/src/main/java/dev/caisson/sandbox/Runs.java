package dev.caisson.sandbox;

import java.util.List;

/// Runs programs.
public interface Runs {
    /// Runs a program to its end, however it ends. When this returns, nothing of it is alive. An
    /// interrupt of the calling thread cancels the run.
    ///
    /// @throws dev.caisson.call.Refusal NO_CAPACITY when there is no place for it
    Outcome run(Run run) throws InterruptedException;

    /// What is ready, one per language.
    List<Runner> runners();

    /// What could not be made ready, and what to do about it.
    List<Runner.Missing> missing();
}
