package dev.caisson.sandbox;

/// Where programs run, as seen by whoever has one to run.
public interface Runs {
    /// Runs a program and answers when everything it started is gone. To cancel, interrupt.
    ///
    /// @throws dev.caisson.call.Refusal when there is no capacity
    /// @throws InterruptedException when interrupted while nothing had been started
    Outcome run(Run run) throws InterruptedException;

    /// What programs can be written in.
    Runners runners();

    /// Which layers hold.
    Isolation isolation();
}
