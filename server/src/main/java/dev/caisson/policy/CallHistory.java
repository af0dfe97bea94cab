package dev.caisson.policy;

import java.time.Instant;
import java.util.List;

/// Calls of other servers' tools that are on record, filled in by the wiring.
@FunctionalInterface
public interface CallHistory {
    /// Calls that began since, the newest first.
    Pages since(Instant moment);

    /// Pages of calls.
    @FunctionalInterface
    interface Pages {
        /// The next of them; empty when there are no more.
        List<PastCall> next();
    }
}
