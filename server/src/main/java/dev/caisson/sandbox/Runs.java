package dev.caisson.sandbox;

/// Door of this room for one program at a time: runs it and answers with its outcome.
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

    /// Whether programs can have a way to the server, see [HostDoor].
    default boolean takesDoors() {
        return false;
    }

    /// Whether runs can be parked, see [RunControl].
    default boolean canPark() {
        return false;
    }

    /// What makes sandboxes here, and why, for the operator.
    default String makers() {
        return "bubblewrap makes all sandboxes";
    }
}
