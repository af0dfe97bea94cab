package dev.caisson.storage;

import dev.caisson.call.Caller;

/// Meter of what callers upload, filled by the wiring.
@FunctionalInterface
public interface UploadMeter {
    /// Counts nothing.
    UploadMeter NONE = (_, _) -> {};

    /// @throws dev.caisson.call.Refusal QUOTA_EXCEEDED when the caller may not store so much now
    void count(Caller caller, long bytes);
}
