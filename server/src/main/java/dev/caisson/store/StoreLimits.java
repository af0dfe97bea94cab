package dev.caisson.store;

import java.time.Duration;
import java.util.Optional;

/// Limits of the store: how long and how many may wait.
///
/// @param readerWait for a free connection; empty means what suits the database
/// @param waitingMax how many units may wait for the writer
record StoreLimits(Optional<Duration> readerWait, int waitingMax) {
    static final StoreLimits DEFAULT = new StoreLimits(Optional.empty(), GroupCommit.WAITING_MAX);
}
