package dev.caisson.runs;

import dev.caisson.storage.Lease;
import dev.caisson.storage.Listing;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/// Place of a run: what it has to itself until it is over.
///
/// @param waited for the thread
/// @param before what was in the workspace when it was opened, its input files included
/// @param filled whether its input files are there
record RunPlace(
        Lease lease,
        RunVolumes volumes,
        Duration waited,
        AtomicReference<Listing> before,
        AtomicBoolean filled) {}
