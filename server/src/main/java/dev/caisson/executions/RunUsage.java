package dev.caisson.executions;

import java.util.Optional;

/// Resource usage of a run, measured from outside.
///
/// @param queueMillis waiting for a place and for the thread
/// @param start where its sandbox came from; empty when the program never ran
public record RunUsage(
        long queueMillis,
        long wallMillis,
        long cpuMillis,
        long memoryPeakBytes,
        Optional<String> start) {
    public static final RunUsage NOTHING = new RunUsage(0, 0, 0, 0, Optional.empty());
}
