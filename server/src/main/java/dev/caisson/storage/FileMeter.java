package dev.caisson.storage;

import dev.caisson.telemetry.Metrics;
import java.util.Optional;

/// Counters of what callers read and store of their files, and the paths they are refused.
///
/// @param metrics absent where nobody counts
record FileMeter(Optional<Metrics> metrics) {
    static final FileMeter NONE = new FileMeter(Optional.empty());

    /// Why a path was refused.
    enum Kind {
        /// No file can have it, or it leads out of its storage.
        INVALID("invalid"),
        /// There is a link on the way, which is not followed.
        LINK("link");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    void read(long bytes) {
        metrics.ifPresent(all -> all.fileBytesRead().inc(bytes));
    }

    void wrote(long bytes) {
        metrics.ifPresent(all -> all.fileBytesWritten().inc(bytes));
    }

    void refused(Kind kind) {
        metrics.ifPresent(all -> all.refusedPaths().labelValues(kind.word).inc());
    }
}
