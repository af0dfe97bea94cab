package dev.caisson.sandbox;

import java.util.Locale;

/// Stage of a run's life, in order. Together they are all of the time between asking for a run and
/// having its outcome.
public enum Stage {
    /// Waiting for a place.
    QUEUE,
    /// From nothing to a guest that waits for its job, locked in.
    BOOT,
    /// Putting file systems in their places and handing the job over.
    ATTACH,
    /// The program itself.
    RUN,
    /// Until everything it started is dead. What is left of an empty sandbox is taken apart after
    /// the answer.
    TEARDOWN;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
