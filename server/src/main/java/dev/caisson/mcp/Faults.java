package dev.caisson.mcp;

import dev.caisson.call.TraceId;

/// Writes a fault of ours down, whole and once.
@FunctionalInterface
public interface Faults {
    /// @return its number, which is all a client gets to see
    String report(Throwable fault, TraceId trace);
}
